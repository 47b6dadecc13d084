// Texts with {names} in them, elements, and the pause that an answer asks for.

export function fillIn(text, values) {                                  // each {name} by its value
  return Object.entries(values).reduce((filled, [name, value]) => filled.replace(`{${name}}`, () => value), text);
}
export const createElement = (tag, properties) => Object.assign(document.createElement(tag), properties);

// A server that is still computing, or whose time is spent, says when to ask again: the connection stands.
export const pauseAfter = ({ headers }) => 1000 * (Number(headers.get("Retry-After")) || 0);
export async function fetchComputed(address, options = {}) {            // what is still computed is asked for again
  const { patienceMs, ...rest } = options;                              // for each answer
  if (patienceMs) rest.signal = AbortSignal.timeout(patienceMs);
  const answer = await fetch(address, rest), pauseMs = answer.status === 503 ? pauseAfter(answer) : 0;
  if (!pauseMs) return answer;
  await new Promise((goOn) => { setTimeout(goOn, pauseMs); });
  return fetchComputed(address, options);
}
