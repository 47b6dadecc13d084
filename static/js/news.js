// What is known of other people's changes, and what becomes of a control that one of them changed.

export class NewsLog {
  changes = [];                                                         // of others, since the element was last read
  #own = new Set();                                                     // sequence numbers that this window stored

  constructor(sequence) { this.sequence = sequence; }                   // all that was stored up to here is known

  store({ sequence, changed }) {
    if (!changed) return;                                               // the number is of what another stored
    this.#own.add(sequence);
    // With a gap between, something of others is not known yet: the next news have to tell it.
    if (sequence === this.sequence + 1) this.sequence = sequence;       // nothing of others lies between
  }
  read({ sequence, changes }) {                                         // → what others changed, null if it is old news
    if (sequence <= this.sequence) return null;
    this.sequence = sequence;
    const others = changes.filter((change) => !this.#own.has(change.sequence));
    this.changes.push(...others);
    return others;
  }
  hasUnreported(sequence) {                                             // a change of others that no news told of yet
    for (let n = this.sequence + 1; n <= sequence; n++) if (!this.#own.has(n)) return true;
    return false;
  }
  find(field) { return this.changes.findLast(({ fields }) => fields.includes(field)) ?? this.changes.at(-1); }
  clear() { this.changes = []; }
}

export function describeChange({ who, by }, { me, changed, elsewhere }) {
  return String(by) === me ? elsewhere : changed.replace("{who}", () => who);
}

// The ends of the addresses of a person's open element: of itself, then of what holds it.
export function addressEnds(path, designKey) {
  if (!path.length) return [`/designs/${designKey}/`];
  return path.map((id) => (id === "-instance" ? "/instance" : `/at/${id}`));
}

// What becomes of a control that was read anew. `before` and `after`: its value (`was`) and its version, where it has
// one; `conflictWas`: the other's value that a conflict shows.
export function chooseUpdate({ before, after, conflictWas, isBusy, isUnsaved, isAlike }) {
  const isTakenBack = conflictWas !== undefined && before.was === after.was && conflictWas !== after.was;
  if (isTakenBack) return "submit";                                     // nothing stands against it any more
  if ((before.version ?? before.was) === (after.version ?? after.was)) return "keep";
  return isBusy && (isUnsaved || !isAlike) ? "notify" : "swap";
}

// How a control that is being typed in says that another changed it.
export function chooseNotice({ was, newWas, isUnreported, hasChange, hasNotice, hasConflict, conflictWas }) {
  if (was === newWas) return "none";
  if (isUnreported) return "ask";                                       // the page was quicker than the news of it
  if (!hasChange && !hasNotice && !hasConflict) return "adopt";         // this window's own, told by the page
  if (conflictWas !== undefined) return conflictWas === newWas ? "none" : "submit";  // the other side is shown anew
  if (!hasChange) return "none";
  return hasNotice ? "update" : "show";
}

const NEW_ID = /(&quot;id\\&quot;: ?\\&quot;)[0-9a-f]{10}/g;
export const withoutNewIds = (html) => html.replace(NEW_ID, "$1");      // of what could be added: never the same
