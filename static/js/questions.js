// Questions of the sheet: one at a time. What is skipped is not asked again in the session.

export class Skipped {                                                  // questions that are not shown now
  constructor(store, name) { Object.assign(this, { store, name: `questions-${name}` }); }

  get #keys() { return JSON.parse(this.store.getItem(this.name) ?? "[]"); }
  add(question) { this.store.setItem(this.name, JSON.stringify([...new Set([...this.#keys, question])])); }
  clear() { this.store.removeItem(this.name); }
  firstOpen(questions) {                                                // → the question to show; none is left
    const skipped = this.#keys;
    return questions.find((each) => !skipped.includes(each)) ?? null;
  }
}

let skipped = null;

export function showQuestion(document) {
  const part = document.querySelector("[data-questions]");
  if (!part) return;
  skipped ??= new Skipped(sessionStorage, part.dataset.questions);
  const groups = [...part.querySelectorAll("[data-question]")];
  const shown = skipped.firstOpen(groups.map((group) => group.dataset.question));
  for (const group of groups) {
    group.hidden = group.dataset.question !== shown;
    group.querySelectorAll("[data-answer]").forEach((button, place) => {  // its number answers
      if (group.hidden) delete button.dataset.key;
      else button.dataset.key = String(place + 1);
    });
  }
  const rest = part.querySelector(".set-aside"), text = rest.querySelector("[data-message]");
  rest.hidden = shown !== null;
  text.textContent = text.dataset.message.replace("{count}", groups.length);
}

function press({ target }) {
  const part = target.closest?.("[data-questions]"), skips = target.closest?.("[data-skip]");
  if (!part || !(skips || target.closest("[data-ask-again]"))) return;
  if (skips) skipped.add(skips.closest("[data-question]").dataset.question);
  else skipped.clear();
  showQuestion(part.ownerDocument);
  part.focus({ preventScroll: true });                                  // what was pressed is gone
}

// An answer that is typed and sent is no longer being typed: the next question takes its place.
function send({ target }) { target.closest?.("[data-questions]")?.focus({ preventScroll: true }); }

export function startQuestions(document) {
  document.addEventListener("click", press);
  document.addEventListener("submit", send);
}
