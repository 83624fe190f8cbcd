import type { ReleaseQuestion } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { openPlanner, type RowToMove } from "../planning/plan-deploy.ts";
import { rowsToRollBack } from "../planning/plan-rollback.ts";
import { unaskedShop } from "../planning/shop-check.ts";
import {
  type Direction,
  findActiveAdjustment,
  partlyDeployed,
  partlyRolledBack,
  resumableRow,
  rollbackLeft,
} from "../queries.ts";

/** A SKU that may have been moved since the backup, which has no record of it. */
export interface QuestionRow extends RowToMove {
  readonly direction: Direction;
  /** Nobody counted it, and a deploy moves it only if it was to set such SKUs to zero. */
  readonly uncounted: boolean;
  /** A rollback of what was deployed in the backup although its deploy was not whole: in question where it looks so. */
  readonly perhapsBack: boolean;
}

/** What may have been done with a session's stock since the backup. */
export interface Question {
  readonly kind: ReleaseQuestion;
  /** The adjustment that it is about; null where there was none in the backup. */
  readonly adjustmentId: string | null;
  /** In the order of their SKUs. */
  readonly rows: readonly QuestionRow[];
}

const nothing: Question = { kind: "nothing", adjustmentId: null, rows: [] };

/** What the release of a restored session has to ask. A session that is still counting has not been deployed here. */
export async function readQuestion(
  reader: Database,
  session: SessionRow,
  restoredAt: Date,
): Promise<Question> {
  if (session.status !== "closed") return nothing;
  const active = await findActiveAdjustment(reader, session.id);
  if (active === undefined) return deployQuestion(reader, session, restoredAt);
  const open = await readOpenRows(reader, active.id);
  const isPartial = open.length > 0;
  const deployed =
    isPartial && active.rollbackRequestedAt !== null ? [] : await rowsToRollBack(reader, active.id);
  const ofRollback = { direction: "rollback", uncounted: false, perhapsBack: isPartial } as const;
  const rows = [...open, ...deployed.map((row) => ({ ...row, ...ofRollback }))];
  if (isPartial) return { kind: "rest", adjustmentId: active.id, rows };
  return rows.length === 0 ? nothing : { kind: "rollback", adjustmentId: active.id, rows };
}

/** What was moved before the end was read is in that reading; only the variance at the time of counting is not of it. */
function endWasReadAfter(restoredAt: Date, { basis, endedAt }: SessionRow): boolean {
  return basis === "end" && endedAt !== null && endedAt > restoredAt;
}

async function deployQuestion(reader: Database, session: SessionRow, restoredAt: Date): Promise<Question> {
  if (endWasReadAfter(restoredAt, session)) return nothing;
  const { plan } = await openPlanner(reader, session);
  const plain = plan({ zeroUncounted: false, stockFound: false }, unaskedShop);
  const zeroing = plan({ zeroUncounted: true, stockFound: false }, unaskedShop);
  const ofPlain = new Set(plain.rows.map(({ sku }) => sku));
  const rows = zeroing.rows.map(({ sku, inventoryItemId, delta }) => ({
    ...{ sku, inventoryItemId, delta },
    direction: "deploy" as const,
    uncounted: !ofPlain.has(sku),
    perhapsBack: false,
  }));
  return rows.length === 0 ? nothing : { kind: "deploy", adjustmentId: null, rows };
}

/** The rows that wait for a person, and those that resuming the deploy or the rollback would send again. */
async function readOpenRows(reader: Database, adjustmentId: string): Promise<QuestionRow[]> {
  const { rows } = await sql<QuestionRow>`
    select sku, inventory_item_id, delta, direction, false as uncounted, false as perhaps_back from adjustment_rows
    where adjustment_id = ${adjustmentId} and (state = 'unclear'
      or (direction = 'deploy' and ${resumableRow}
        and exists (select from adjustments where id = ${adjustmentId} and ${partlyDeployed}))
      or (${rollbackLeft}
        and exists (select from adjustments where id = ${adjustmentId} and ${partlyRolledBack})))
    order by sku`.execute(reader);
  return rows;
}
