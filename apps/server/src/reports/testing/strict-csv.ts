/**
 * The records of a CSV file as RFC 4180 has it and nothing wider: CR LF after every record, quotes only around a whole
 * field and doubled within it. Throws where the text is anything else.
 */
export function strictRecords(csv: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const records: string[][] = [];
  let record: string[] = [];
  while (field.lastIndex < csv.length) {
    const at = field.lastIndex;
    const found = field.exec(csv);
    if (found === null)
      throw new Error(`No field of RFC 4180 at ${at}: ${JSON.stringify(csv.slice(at, at + 40))}`);
    const [, quoted, bare = "", end] = found;
    record.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error("The last record has no end.");
  return records;
}
