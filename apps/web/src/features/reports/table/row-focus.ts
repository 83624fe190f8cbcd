import type { KeyboardEvent } from "react";

/** The buttons that the rows are opened by, in the order of the rows that are rendered. */
export function rowButtons(within: ParentNode): HTMLButtonElement[] {
  return [...within.querySelectorAll<HTMLButtonElement>("button[data-sku]")];
}

/** Arrow keys go from row to row; further ones are rendered as the focus comes near them. */
export function moveBetweenRows(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const table = event.currentTarget.closest("table");
  if (step === 0 || table === null) return;
  const rows = rowButtons(table);
  const next = rows[rows.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
