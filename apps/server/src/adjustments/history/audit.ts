import type { AuditAction } from "@stocktake/contract";
import { sql } from "kysely";
import { type AuditActor, productSubject, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AuditFacts } from "../../database/tables.ts";
import type { Direction } from "../queries.ts";

interface MoveFacts extends AuditFacts {
  readonly status: string;
  readonly rolledBack: boolean;
  /** SKUs of the direction. */
  readonly items: number;
  /** Net units of all of them. */
  readonly units: number;
  readonly confirmed: number;
  readonly confirmedUnits: number;
  readonly unclear: number;
  readonly notMoved: number;
  readonly note: string | null;
}

interface MoveRow extends MoveFacts {
  readonly sessionId: string;
  readonly store: string;
}

async function readMove(transaction: Transaction, adjustmentId: string, direction: Direction) {
  const { rows } = await sql<MoveRow>`
    select adjustment.session_id, store.name as store, adjustment.status,
      adjustment.rolled_back_at is not null as rolled_back, adjustment.note, count(row.sku)::integer as items,
      coalesce(sum(row.delta), 0)::bigint as units,
      (count(*) filter (where row.state = 'confirmed'))::integer as confirmed,
      coalesce(sum(row.delta) filter (where row.state = 'confirmed'), 0)::bigint as confirmed_units,
      (count(*) filter (where row.state = 'unclear'))::integer as unclear,
      (count(*) filter (where row.state = 'not_moved'))::integer as not_moved
    from adjustments adjustment
    join sessions session on session.id = adjustment.session_id
    join stores store on store.id = session.store_id
    left join adjustment_rows row on row.adjustment_id = adjustment.id and row.direction = ${direction}
    where adjustment.id = ${adjustmentId}
    group by adjustment.id, store.id`.execute(transaction);
  const [move] = rows;
  if (move === undefined) throw new Error("An adjustment without a row.");
  const { sessionId, store, ...facts } = move;
  return { sessionId, store, facts };
}

interface MoveEntry {
  readonly adjustmentId: string;
  readonly direction: Direction;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  /** What is recorded besides how far the move has come. */
  readonly more?: AuditFacts;
}

/** Records in the audit log what happened to a deploy or a rollback as a whole, with its counts and net units. */
export async function recordMove(transaction: Transaction, entry: MoveEntry): Promise<void> {
  const { adjustmentId, direction, actor, action, more = {} } = entry;
  const { sessionId, store, facts } = await readMove(transaction, adjustmentId, direction);
  await recordAudit(transaction, {
    sessionId,
    actor,
    action,
    subject: { kind: "adjustment", id: adjustmentId, name: store },
    before: null,
    after: { ...facts, ...more },
  });
}

interface SettledRow {
  readonly adjustmentId: string;
  readonly direction: Direction;
  readonly sku: string;
  readonly delta: number;
  /** Before it was settled. */
  readonly state: string;
  readonly applied: boolean;
}

/** Records how a person settled an open row, and what the adjustment has come to by it. */
export async function recordSettlement(
  transaction: Transaction,
  actor: AuditActor,
  { adjustmentId, direction, sku, delta, state, applied }: SettledRow,
): Promise<void> {
  const { sessionId, facts } = await readMove(transaction, adjustmentId, direction);
  await recordAudit(transaction, {
    sessionId,
    actor,
    action: "row.settled",
    subject: await productSubject(transaction, sessionId, sku),
    before: { state, direction, delta, status: "partial" },
    after: { state: applied ? "confirmed" : "not_moved", direction, delta, ...facts },
  });
}
