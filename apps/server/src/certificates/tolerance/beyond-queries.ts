import { groupBy, type OpenCoverage } from "@stocktake/contract";
import { type OwedCount, readOwedCounts } from "../../count-again/count-again.ts";
import type { Database } from "../../database/pool.ts";
import type { SessionRow } from "../../sessions/sessions.ts";

/** Why a session does without another count of a SKU. */
interface Said {
  readonly reason: string;
  readonly by: string;
  /** Who that is for good, whatever the name is. */
  readonly byId: string;
  readonly at: Date;
  /** It is of what is counted now. */
  readonly holds: boolean;
}

/** A SKU beyond tolerance that nobody has counted again. */
export interface BeyondRow extends OwedCount {
  readonly said: Said | null;
}

/** All of a session, in the order of their SKUs. */
export async function readBeyond(reader: Database, session: SessionRow): Promise<readonly BeyondRow[]> {
  const owed = await readOwedCounts(reader, session);
  if (owed.length === 0) return [];
  const statements = await reader
    .selectFrom("toleranceStatements as said")
    .innerJoin("users as person", "person.id", "said.statedBy")
    .select(["said.sku", "said.reason", "said.counted", "said.statedAt", "person.id", "person.username"])
    .where("said.sessionId", "=", session.id)
    .execute();
  const saidOf = new Map(statements.map((said) => [said.sku, said]));
  return owed.map((row) => {
    const said = saidOf.get(row.sku);
    if (said === undefined) return { ...row, said: null };
    const { reason, username: by, id: byId, statedAt: at } = said;
    return { ...row, said: { reason, by, byId, at, holds: said.counted === row.counted } };
  });
}

/** It is still to be counted again, or to be done without. */
export function isOpen({ said }: BeyondRow): boolean {
  return said?.holds !== true;
}

/** How many SKUs a certificate names of those that one statement is of. */
const namedAtMost = 1_000;

/** What was said of SKUs at once. */
export interface DoneWithout {
  readonly reason: string;
  readonly by: string;
  readonly byId: string;
  readonly skus: number;
  readonly named: readonly string[];
}

/** What a session does without, by reason and who said so. */
export function doneWithout(rows: readonly BeyondRow[]): readonly DoneWithout[] {
  const holding = rows.flatMap(({ sku, said }) => (said?.holds === true ? [{ sku, ...said }] : []));
  return [...groupBy(holding, ({ reason, byId }) => JSON.stringify([reason, byId])).values()].flatMap(
    (those) => {
      const [first] = those;
      if (first === undefined) return [];
      const { reason, by, byId } = first;
      const named = those.slice(0, namedAtMost).map(({ sku }) => sku);
      return [{ reason, by, byId, skus: those.length, named }];
    },
  );
}

/** Named where what is open is listed. */
const namedAsOpen = 5;

/** What is open of it; nothing where nothing is. */
export function openBeyond(rows: readonly BeyondRow[]): readonly OpenCoverage[] {
  const skus = rows.filter(isOpen).map(({ sku }) => sku);
  return skus.length === 0
    ? []
    : [{ kind: "beyond_tolerance", count: skus.length, names: skus.slice(0, namedAsOpen) }];
}
