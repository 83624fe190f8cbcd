import type { Options } from "csv-stringify/sync";

/**
 * A spreadsheet runs a cell that begins so as a formula, in full-width form too. A cell begins where ours does, and for
 * one that splits lines at `;` or tab, and so sees no quotes within a line, behind each of these and each line break;
 * quotes that follow are not part of it.
 */
const formulaStart = /^[\t\r\n]|(?<=^|[;\t\r\n]"*)[=+\-@＝＋－＠]/g;
const formulaStartOrApostrophe = /^[\t\r\n]|(?<=^|[;\t\r\n]"*)[=+\-@＝＋－＠']/g;

/** A text as a cell: an apostrophe keeps a spreadsheet from running it or a part of it as a formula. */
export function textCell(text: string | null): string {
  return (text ?? "").replaceAll(formulaStart, "'$&");
}

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

/** Without it Excel reads a file in the machine's old character set. */
export const byteOrderMark = "\uFEFF";
