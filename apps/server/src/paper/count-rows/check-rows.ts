import { type CallAnswer, type checkCountRows, limits } from "@stocktake/contract";
import type { Caller } from "../../kernel/caller.ts";
import type { ScanningServices } from "../../scanning/scanning.ts";
import { type GoodRow, interpretRows } from "./interpret-rows.ts";
import type { StoredRow } from "./place-queries.ts";
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
    known: sumsOf(known),
    counted: { rows: counted.length, units: sumOf(counted) },
    unresolved: { rows: unresolved.length, codes: codesOf(unresolved) },
  };
}

/** What rows of a file have come to that are stored. */
export function sumsOf(stored: readonly StoredRow[]): CallAnswer<typeof checkCountRows>["known"] {
  const having = (status: StoredRow["status"]) => stored.filter((row) => row.status === status);
  const counted = having("counted");
  return {
    ...{ rows: stored.length, voided: having("voided").length },
    counted: { rows: counted.length, units: sumOf(counted) },
    ...{ unresolved: having("unresolved").length, late: having("late").length },
  };
}

function codesOf(rows: readonly GoodRow[]): string[] {
  return [...new Set(rows.map(({ incoming }) => incoming.input))].slice(0, limits.groupedNames);
}

export function sumOf(rows: readonly { readonly units: number }[]): number {
  return rows.reduce((sum, { units }) => sum + units, 0);
}
