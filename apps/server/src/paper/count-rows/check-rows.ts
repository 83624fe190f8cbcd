import { type CallAnswer, type checkCountRows, limits } from "@stocktake/contract";
import type { Caller } from "../../kernel/caller.ts";
import type { ScanningServices } from "../../scanning/scanning.ts";
import { type GoodRow, interpretRows, type SentRows } from "./interpret-rows.ts";
import { readNewestScan, type StoredRow } from "./place-queries.ts";

/** What rows of a file would come to now. Stores nothing. @throws ApiError NOT_FOUND, SESSION_CLOSED, SESSION_ENDING. */
export async function checkRows(
  context: Pick<ScanningServices, "database" | "catalogue">,
  caller: Caller,
  sessionId: string,
  sent: SentRows,
): Promise<CallAnswer<typeof checkCountRows>> {
  const asOf = await readNewestScan(context.database);
  const { bad, known, good, alike } = await interpretRows(context, caller, sessionId, sent);
  const counted = good.filter(({ match }) => match === "one");
  const unresolved = good.filter(({ match }) => match !== "one");
  return {
    bad: [...bad],
    known: sumsOf(known),
    counted: { rows: counted.length, units: sumOf(counted) },
    unresolved: { rows: unresolved.length, codes: codesOf(unresolved) },
    alike: alikeOf(alike),
    asOf,
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

/** Rows that are left out because they look like one that is here already. */
export function alikeOf(rows: readonly GoodRow[]): NonNullable<CallAnswer<typeof checkCountRows>["alike"]> {
  const examples = rows.slice(0, limits.groupedNames).map(({ row }) => row);
  return { rows: rows.length, units: sumOf(rows), examples };
}

function codesOf(rows: readonly GoodRow[]): string[] {
  return [...new Set(rows.map(({ incoming }) => incoming.input))].slice(0, limits.groupedNames);
}

export function sumOf(rows: readonly { readonly units: number }[]): number {
  return rows.reduce((sum, { units }) => sum + units, 0);
}
