import type { Options } from "csv-stringify/sync";

/** What a spreadsheet runs as a formula, as `textCell` has it, and an apostrophe where `textCell` puts one. */
const formulaStartOrApostrophe = /^[\t\r\n]|(?<=^|[;\t\r\n]"*)[=+\-@＝＋－＠']/g;

/**
 * As `textCell`, for cells whose exact text is needed: an apostrophe that is there already gets another one, so that
 * whoever takes one away at the start, and behind every `;`, tab and line break and the quotes that follow it, has the
 * text.
 */
export function recoverableTextCell(text: string | null): string {
  return (text ?? "").replaceAll(formulaStartOrApostrophe, "'$&");
}

/**
 * RFC 4180 with CR LF. A tab, a line break, and a `;` before what was kept from running are quoted; not every `;`, because
 * the areas of a row are joined by it.
 */
export const csvFormat = {
  record_delimiter: "windows",
  // The library itself quotes for the comma, the quote and CR LF alone.
  quoted_match: /[\t\r\n]|;"*'/,
} as const satisfies Options;
