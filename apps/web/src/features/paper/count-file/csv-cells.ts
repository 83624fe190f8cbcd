/** A line of a CSV file: its number in the file, from 1, and its cells. */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** What spreadsheets divide cells by, depending on the country. */
const separators = [",", ";", "\t"] as const;

function separatorOf(firstLine: string): string {
  const counts = separators.map((separator) => ({ separator, count: firstLine.split(separator).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}

const quoted = /"((?:[^"]|"")*)"?/y;

/** Reads the cells of a CSV file (RFC 4180; also divided by `;` or tabs). Blank lines are left out. */
export function readCsv(text: string): CsvLine[] {
  const separator = separatorOf(/^[^\r\n]*/.exec(text)?.[0] ?? "");
  const plain = new RegExp(`[^${separator}\\r\\n]*`, "y");
  const lines: CsvLine[] = [];
  let [at, line, cells] = [0, 1, [] as string[]];
  let begun = line;
  while (at < text.length) {
    const pattern = text[at] === '"' ? quoted : plain;
    pattern.lastIndex = at;
    const [whole = "", inner] = pattern.exec(text) ?? [];
    // What follows a closing quote belongs to no cell.
    plain.lastIndex = at + whole.length;
    const rest = pattern === quoted ? (plain.exec(text)?.[0] ?? "") : "";
    cells.push((inner?.replaceAll('""', '"') ?? whole) + rest);
    line += inner?.match(/\r\n|\r|\n/g)?.length ?? 0;
    at += whole.length + rest.length;
    if (text[at] === separator && at + 1 < text.length) {
      at += 1;
      continue;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (cells.some((cell) => cell.trim() !== "")) lines.push({ line: begun, cells });
    line += 1;
    begun = line;
    cells = [];
  }
  return lines;
}
