import type { KeyboardEvent } from "react";

/** Marks what Enter goes on to, in the order of the page. */
export const step = { "data-step": "" } as const;

const forward = new Set(["Enter", "ArrowDown"]);

/**
 * Goes on to the next field on Enter and Arrow Down, and back on Arrow Up, as one keys a list. A button does what buttons do on Enter, and
 * a field for a time needs its arrows. An Enter that is held down goes on once: it would run over the boxes, and save what nobody has read.
 */
export function stepOn(event: KeyboardEvent<HTMLElement>): void {
  const { target, key, currentTarget } = event;
  if (key === "Enter" && event.repeat) {
    event.preventDefault();
    return;
  }
  if (!(target instanceof HTMLInputElement) || event.nativeEvent.isComposing) return;
  if (!forward.has(key) && key !== "ArrowUp") return;
  if (key !== "Enter" && target.type !== "text") return;
  event.preventDefault();
  const steps = [...currentTarget.querySelectorAll<HTMLElement>("[data-step]")];
  const next = steps[steps.indexOf(target) + (key === "ArrowUp" ? -1 : 1)];
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}
