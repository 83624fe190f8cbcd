/**
 * A spreadsheet runs a cell that begins so as a formula, in full-width form too. A cell begins where ours does, and for
 * one that splits lines at `;` or tab, and so sees no quotes within a line, behind each of these and each line break;
 * quotes that follow are not part of it.
 */
const formulaStart = /^[\t\r\n]|(?<=^|[;\t\r\n]"*)[=+\-@＝＋－＠]/g;

/** A text as a cell of a CSV file: an apostrophe keeps a spreadsheet from running it or a part of it as a formula. */
export function textCell(text: string | null): string {
  return (text ?? "").replaceAll(formulaStart, "'$&");
}

/** Without it at a file's start Excel reads a CSV file in the machine's old character set. */
export const byteOrderMark = "\uFEFF";
