import type { Adjustment, AdjustmentStatus, SkipReason, Waiting } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { AdjustmentsTable } from "../../database/tables.ts";
import { newestFirst, type Page, type PageRequest, pageOf } from "../../kernel/paging.ts";
import { presentWaiting } from "../../operations/operations.ts";
import { readLeftOut } from "../../reports/reports.ts";
import {
  bookedSinceAsked,
  type Direction,
  partlyDeployed,
  partlyRolledBack,
  resumableRow,
  rollbackLeft,
} from "../queries.ts";

type AdjustmentRecord = Pick<
  Selectable<AdjustmentsTable>,
  "id" | "status" | "totalAdjustments" | "note" | "appliedAt" | "rolledBackAt"
> & {
  readonly username: string | null;
  readonly resumable: number;
  readonly partlyRolledBack: boolean;
  /** The operation that works on it; null where it is idle. */
  readonly working: Direction | null;
  /** Of the operation that works on it; null where it is idle. */
  readonly done: number | null;
  readonly total: number | null;
  readonly waitReason: Waiting["reason"] | null;
  readonly waitUntil: Date | null;
  readonly cancelling: boolean;
};

/** How many rows of a partial adjustment a further try may move. */
const resumableOf = sql<number>`(select count(*)::integer from adjustment_rows
  where adjustment_id = adjustments.id and (
    (${partlyDeployed} and direction = 'deploy' and ${resumableRow})
    or (${partlyRolledBack} and ${rollbackLeft})))`.as("resumable");

function adjustmentsWithUser(reader: Database) {
  return reader
    .selectFrom("adjustments")
    .leftJoin("users", "users.id", "adjustments.appliedBy")
    .leftJoin("operations", (join) =>
      join
        .onRef("operations.adjustmentId", "=", "adjustments.id")
        .on("operations.status", "=", "running")
        .on("operations.kind", "in", ["deploy", "rollback"]),
    )
    .select([
      "adjustments.id",
      "adjustments.status",
      "adjustments.totalAdjustments",
      "adjustments.note",
      "adjustments.appliedAt",
      "adjustments.rolledBackAt",
      "users.username",
      sql<Direction | null>`operations.kind`.as("working"),
      partlyRolledBack.as("partlyRolledBack"),
      "operations.done",
      "operations.total",
      "operations.waitReason",
      "operations.waitUntil",
      sql<boolean>`operations.cancel_requested_at is not null`.as("cancelling"),
      resumableOf,
    ]);
}

/** The session's adjustments, newest first. */
export async function listAdjustmentsOf(
  reader: Database,
  sessionId: string,
  page: PageRequest = {},
): Promise<Page<Adjustment>> {
  const rows = await adjustmentsWithUser(reader).where("adjustments.sessionId", "=", sessionId).execute();
  const adjustments = pageOf(
    page,
    rows,
    newestFirst<AdjustmentRecord>(({ appliedAt }) => appliedAt),
  );
  const leftOut = await readLeftOut(
    reader,
    sessionId,
    adjustments.items.map(({ id }) => id),
  );
  const items = adjustments.items.map((row) => ({
    ...presentAdjustment(row),
    leftOut: [...(leftOut.get(row.id) ?? [])],
  }));
  return { ...adjustments, items };
}

export async function readAdjustment(reader: Database, id: string): Promise<Adjustment> {
  return presentAdjustment(
    await adjustmentsWithUser(reader).where("adjustments.id", "=", id).executeTakeFirstOrThrow(),
  );
}

export async function readStatus(
  reader: Database,
  adjustmentId: string,
): Promise<{ status: AdjustmentStatus; totalAdjustments: number }> {
  return reader
    .selectFrom("adjustments")
    .select(["status", "totalAdjustments as totalAdjustments"])
    .where("id", "=", adjustmentId)
    .executeTakeFirstOrThrow();
}

/** How many SKUs a run of a deploy or a rollback has moved. */
export async function countMoved(
  reader: Database,
  adjustmentId: string,
  operationId: string,
): Promise<number> {
  const { moved } = await reader
    .selectFrom("stockLedger")
    .innerJoin("operations", "operations.adjustmentId", "stockLedger.adjustmentId")
    .select(({ fn }) => fn.countAll<number>().as("moved"))
    .where("operations.id", "=", operationId)
    .where("stockLedger.adjustmentId", "=", adjustmentId)
    .whereRef("stockLedger.direction", "=", "operations.kind")
    .where(bookedSinceAsked)
    .executeTakeFirstOrThrow();
  return Number(moved);
}

/** The SKUs that a deploy or a rollback did not move and that nobody has decided to leave. */
export function readNotMoved(reader: Database, adjustmentId: string, direction: Direction) {
  return reader
    .selectFrom("adjustmentRows")
    .select(["sku", "unmovable as reason", "note"])
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("state", "=", "not_moved")
    .where("settledAt", "is", null)
    .orderBy("sku")
    .execute();
}

/** The SKUs that a deploy found Shopify unable to move when it came to them. */
export async function readDeploySkips(
  reader: Database,
  adjustmentId: string,
): Promise<{ sku: string; reason: SkipReason }[]> {
  const rows = await reader
    .selectFrom("adjustmentRows")
    .select(["sku", "unmovable"])
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", "deploy")
    .where("unmovable", "is not", null)
    .orderBy("sku")
    .execute();
  return rows.flatMap(({ sku, unmovable }) => (unmovable === null ? [] : [{ sku, reason: unmovable }]));
}

function presentAdjustment(row: AdjustmentRecord): Adjustment {
  return {
    _id: row.id,
    appliedAt: row.appliedAt.toISOString(),
    totalAdjustments: row.totalAdjustments,
    status: row.status,
    rolledBackAt: row.rolledBackAt?.toISOString() ?? null,
    appliedBy: row.username === null ? null : { username: row.username },
    rollingBack: row.working === "rollback",
    partlyRolledBack: row.partlyRolledBack,
    note: row.note,
    progress: row.done === null ? null : { done: row.done, of: row.total },
    resumable: row.resumable,
    waiting: presentWaiting(row),
    cancelling: row.cancelling,
  };
}
