import { createHmac } from "node:crypto";
import type { CallRequest, storeCountRows } from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";

export type RowOfFile = CallRequest<typeof storeCountRows>["body"]["rows"][number];

/** Under what a row is stored. The operation id alone tells whether it is here already. */
export interface RowKeys {
  readonly opId: string;
  readonly seq: number;
  /** Another number, where another row has this one by chance. */
  readonly otherSeq: (attempt: number) => number;
}

/** Where in the digest the number is, after the operation id: six bytes of it. */
const numberDigits = { from: 32, to: 44 };

/**
 * Keys of rows by what is in them: the same row of whatever file, part or computer has the same. They are made with the
 * installation's key, so that nobody who counts can store something under them before.
 */
export async function createRowKeys(
  database: Database,
  sessionId: string,
): Promise<(row: RowOfFile) => RowKeys> {
  const keysOf = await createKeys(database);
  return (row) => keysOf("count-row", `${sessionId}:${contentOf(row)}`);
}

/** Keys of a scan by what it is of: always the same ones, and none that anybody else could tell. */
export async function createKeys(
  database: Database,
): Promise<(kind: "count-row" | "count-sheet", content: string) => RowKeys> {
  const { rowKey } = await database.selectFrom("installation").select("rowKey").executeTakeFirstOrThrow();
  return (kind, content) => {
    const digest = (attempt: number) =>
      createHmac("sha256", rowKey).update(`${kind}:${attempt}:${content}`).digest("hex");
    const first = digest(0);
    return {
      opId: asUuid(first),
      seq: numberIn(first),
      otherSeq: (attempt) => numberIn(digest(attempt)),
    };
  };
}

const numberIn = (digest: string) =>
  Number.parseInt(digest.slice(numberDigits.from, numberDigits.to), 16) + 1;

/** Every cell as it is in the file but for blanks around it: not what it means, which may change meanwhile. */
function contentOf({ area, location = "", code, quantity, who = "", when = "", copy }: RowOfFile): string {
  const cells = [area, location, code, quantity, who, when].map((cell) => cell.trim());
  return JSON.stringify([...cells, copy]);
}

/** RFC 9562, version 8: made by a rule of our own. Of the hexadecimal digits that it takes the first 32. */
function asUuid(digits: string): string {
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const version = `8${digits.slice(13, 16)}`;
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${version}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
