// A press of the mouse that ends on what took the place of where it began, as when a list comes anew in between:
// browsers tell of no click then, and the press would be lost.
const PRESSABLE = "a[href], button, summary, label, input:is([type=checkbox], [type=radio])";

const nameOf = (place) => place.id || place.getAttribute("href") || place.textContent.trim();
export function isSame(before, now) {
  return before === now || (before.tagName === now.tagName && nameOf(before) === nameOf(now));
}

export function startPresses(document) {
  let began = null;                                                     // what is pressed, and what of it was hit
  document.addEventListener("pointerdown", ({ target, button, pointerType, ctrlKey, metaKey, shiftKey, altKey }) => {
    const isPlain = pointerType === "mouse" && button === 0 && !(ctrlKey || metaKey || shiftKey || altKey);
    const place = isPlain ? target.closest?.(PRESSABLE) : null;
    began = place ? { place, hit: target } : null;
  }, true);
  document.addEventListener("pointerup", ({ target }) => {
    const now = target.closest?.(PRESSABLE), before = began;
    began = null;
    if (now && before && !before.hit.isConnected && isSame(before.place, now)) now.click();
  }, true);
}
