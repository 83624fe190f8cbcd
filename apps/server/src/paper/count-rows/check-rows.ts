import { type CallAnswer, type checkCountRows, limits } from "@stocktake/contract";
import type { Caller } from "../../kernel/caller.ts";
import type { ScanningServices } from "../../scanning/scanning.ts";
import { type GoodRow, interpretRows } from "./interpret-rows.ts";
import type { RowOfFile } from "./row-keys.ts";

/** What rows of a file would come to now. Stores nothing. @throws ApiError NOT_FOUND, SESSION_CLOSED, SESSION_ENDING. */
export async function checkRows(
  context: Pick<ScanningServices, "database" | "catalogue">,
  caller: Caller,
  sessionId: string,
  rows: readonly RowOfFile[],
): Promise<CallAnswer<typeof checkCountRows>> {
  const { bad, known, good } = await interpretRows(context, caller, sessionId, rows);
  const counted = good.filter(({ match }) => match === "one");
  const unresolved = good.filter(({ match }) => match !== "one");
  return {
    bad: [...bad],
    known,
    counted: { rows: counted.length, units: sumOf(counted) },
    unresolved: { rows: unresolved.length, codes: codesOf(unresolved) },
  };
}

function codesOf(rows: readonly GoodRow[]): string[] {
  return [...new Set(rows.map(({ incoming }) => incoming.input))].slice(0, limits.groupedNames);
}

export function sumOf(rows: readonly GoodRow[]): number {
  return rows.reduce((sum, { units }) => sum + units, 0);
}
