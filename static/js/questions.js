// Questions of the sheet: one at a time. `later` lasts until the page is left, `unknown` as long as the session.

export class SetAside {                                                 // questions that are not shown now
  #later = new Set();
  constructor(store, name) { Object.assign(this, { store, name: `questions-${name}` }); }

  get #unknown() { return JSON.parse(this.store.getItem(this.name) ?? "[]"); }
  add(question, reason) {
    if (reason === "later") this.#later.add(question);
    else this.store.setItem(this.name, JSON.stringify([...new Set([...this.#unknown, question])]));
  }
  clear() {
    this.#later.clear();
    this.store.removeItem(this.name);
  }
  firstOpen(questions) {                                                // → the question to show; none is left
    const unknown = this.#unknown;
    return questions.find((each) => !this.#later.has(each) && !unknown.includes(each)) ?? null;
  }
}

let setAside = null;

export function showQuestion(document) {
  const part = document.querySelector("[data-questions]");
  if (!part) return;
  setAside ??= new SetAside(sessionStorage, part.dataset.questions);
  const groups = [...part.querySelectorAll("[data-question]")];
  const shown = setAside.firstOpen(groups.map((group) => group.dataset.question));
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
  const part = target.closest?.("[data-questions]"), reason = target.closest?.("[data-set-aside]")?.dataset.setAside;
  if (!part || !(reason || target.closest("[data-ask-again]"))) return;
  if (reason) setAside.add(target.closest("[data-question]").dataset.question, reason);
  else setAside.clear();
  showQuestion(part.ownerDocument);
  part.focus({ preventScroll: true });                                  // what was pressed is gone
}

// An answer that is typed and sent is no longer being typed: the next question takes its place.
function send({ target }) { target.closest?.("[data-questions]")?.focus({ preventScroll: true }); }

// A question is answered once: until it is gone, a second answer would be to what it no longer asks.
const answeredBy = (elt) => elt.closest?.("[data-answer]")?.closest("[data-question]");
function answerOnce(event) {
  const question = answeredBy(event.detail.elt);
  if (!question) return;
  if ("answered" in question.dataset) event.preventDefault();
  question.dataset.answered = "";
}
function allowAnother({ detail: { elt, successful } }) {
  if (!successful) delete answeredBy(elt)?.dataset.answered;
}

export function startQuestions(document) {
  document.addEventListener("click", press);
  document.addEventListener("htmx:beforeRequest", answerOnce);
  document.addEventListener("htmx:afterRequest", allowAnother);
  document.addEventListener("submit", send);
}
