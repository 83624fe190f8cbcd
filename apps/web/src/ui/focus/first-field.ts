import { type RefCallback, useCallback } from "react";

/** Not those that are hidden, as of a button that chooses a file, or closed to the person. */
const fieldsSelector = [
  "input:not([type=hidden], :disabled, [readonly])",
  "select:not(:disabled)",
  "textarea:not(:disabled, [readonly])",
].join();

/** What has the focus as long as there is no field, such as Cancel. */
const restingSelector = "[data-resting]";

/** What the dialog names for the focus itself. */
const namedSelector = "[data-autofocus]:not([data-resting])";

function isShown(element: Element, within: Element): boolean {
  for (let at: Element | null = element; at !== null && at !== within; at = at.parentElement) {
    if (getComputedStyle(at).display === "none") return false;
  }
  return true;
}

/** The first field that somebody can fill in; of a choice the one that is chosen, as the Tab key finds it. */
function firstFieldIn(body: HTMLElement): HTMLElement | null {
  const fields = [...body.querySelectorAll<HTMLElement>(fieldsSelector)].filter((each) =>
    isShown(each, body),
  );
  const first = fields[0] ?? null;
  if (!(first instanceof HTMLInputElement) || first.type !== "radio") return first;
  const isChosen = (each: HTMLElement) =>
    each instanceof HTMLInputElement && each.name === first.name && each.checked;
  return fields.find(isChosen) ?? first;
}

/** The library gives the focus to the first element with this mark, in a moment. */
function mark(element: HTMLElement): void {
  element.setAttribute("data-autofocus", "true");
}

/** Whether somebody is elsewhere, as in a dialog above this one. */
function isElsewhere(body: HTMLElement): boolean {
  const active = document.activeElement;
  return (
    active !== null && active !== document.body && body.closest("[role=dialog]")?.contains(active) !== true
  );
}

/** Gives the focus to the first field that comes, until there is one or somebody has begun to do something. */
function awaitField(body: HTMLElement): () => void {
  const look = () => {
    const field = body.querySelector<HTMLElement>(namedSelector) ?? firstFieldIn(body);
    if (field === null) return;
    end();
    if (isElsewhere(body)) return;
    body.querySelector(restingSelector)?.removeAttribute("data-autofocus");
    mark(field);
    field.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  const end = () => {
    observer.disconnect();
    document.removeEventListener("keydown", end, true);
    document.removeEventListener("pointerdown", end, true);
  };
  const changes = {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled", "style"],
  };
  observer.observe(body, changes);
  document.addEventListener("keydown", end, true);
  document.addEventListener("pointerdown", end, true);
  return end;
}

/**
 * For the body of a dialog: its first field gets the focus, also where the content comes later. Left to itself the library
 * would give it to the ✕, as the first thing that can have it.
 */
export function useFirstField(): RefCallback<HTMLElement> {
  return useCallback((body) => {
    if (body === null || body.querySelector(namedSelector) !== null) return;
    const field = firstFieldIn(body);
    if (field !== null) return mark(field);
    const resting = body.querySelector<HTMLElement>(restingSelector);
    if (resting !== null) mark(resting);
    return awaitField(body);
  }, []);
}
