import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { inviteLater } from "../../invitations/invitations.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { leaveOut } from "../../passes/passes.ts";
import type { SessionServices } from "../services.ts";
import {
  deletedAreas,
  findPlan,
  lockPlan,
  type PlanRow,
  peopleNow,
  readAreasNow,
  requireOpen,
} from "./queries.ts";

/** What a plan came to: its session, or the operation that starts it. */
export type PlanStart = { readonly sessionId: string } | { readonly operationId: string };

/** Records the start of a plan by `insert`, in whose transaction its store is locked. */
type InsertStart = (
  transaction: Transaction,
  locked: Awaited<ReturnType<typeof lockPlan>>,
) => Promise<string>;

/**
 * Starts a plan once, however often and on however many nodes it is asked for: whoever asks while it is being started
 * follows that start, and afterwards there is its session. @throws ApiError NOT_FOUND, and as `insert` does.
 */
export function requestPlanStart(
  { database }: Pick<SessionServices, "database">,
  planId: string,
  insert: InsertStart,
): Promise<PlanStart> {
  return database.transaction().execute(async (transaction) => {
    const locked = await lockPlan(transaction, planId);
    if (locked.plan.sessionId !== null) return { sessionId: locked.plan.sessionId };
    const operationId = (await findStart(transaction, locked.plan)) ?? (await insert(transaction, locked));
    return { operationId };
  });
}

/** The start of the plan that is under way. */
async function findStart(transaction: Transaction, { id, storeId }: PlanRow): Promise<string | undefined> {
  const operation = await transaction
    .selectFrom("operations")
    .select("id")
    .where("storeId", "=", storeId)
    .where("kind", "=", "start")
    .where("status", "=", "running")
    .where(sql<boolean>`input ->> 'planId' = ${id}`)
    .executeTakeFirst();
  return operation?.id;
}

/** The plan as it is now, for a session that begins by it; its store is locked. Throws NOT_FOUND for one that is gone. */
export async function readPlanToStart(transaction: Transaction, planId: string): Promise<PlanRow> {
  const plan = await findPlan(transaction, planId);
  requireOpen(plan);
  return plan;
}

interface StartedSession {
  readonly id: string;
  readonly storeId: string;
  readonly startedBy: string | null;
  /** Where the links of the invitations lead. */
  readonly origin: string;
}

/** What the audit log says of a start by a plan besides what it says of every start. */
interface Followed {
  readonly leftOut: number;
  /** By name; absent where nothing is gone. */
  readonly deletedAreas?: readonly string[];
  readonly assignmentsEnforced?: true;
}

/**
 * Marks the plan as started, and makes the session what was planned. Areas are assigned with the invitations, see
 * `invitations/end-waiting.ts`.
 */
export async function followPlan(
  transaction: Transaction,
  plan: PlanRow,
  { id: sessionId, storeId, startedBy: invitedBy, origin }: StartedSession,
): Promise<Followed> {
  const areas = await readAreasNow(transaction, [plan]);
  const deleted = deletedAreas(plan, areas);
  await transaction.updateTable("sessionPlans").set({ sessionId }).where("id", "=", plan.id).execute();
  await inviteLater(transaction, peopleNow(plan, areas), { sessionId, storeId, invitedBy, origin });
  if (plan.assignmentsEnforced) {
    const assignmentsEnforcedAt = sql<Date>`now()`;
    await transaction
      .updateTable("sessions")
      .set({ assignmentsEnforcedAt })
      .where("id", "=", sessionId)
      .execute();
  }
  return {
    leftOut: plan.areaIds === null ? 0 : await countOnly(transaction, { sessionId, storeId }, plan.areaIds),
    ...(deleted.length === 0 ? {} : { deletedAreas: deleted }),
    ...(plan.assignmentsEnforced ? { assignmentsEnforced: true } : {}),
  };
}

async function countOnly(
  transaction: Transaction,
  session: { readonly sessionId: string; readonly storeId: string },
  areaIds: readonly string[],
): Promise<number> {
  const leftOut = await leaveOut(transaction, session, areaIds);
  await requireSome(transaction, areaIds);
  return leftOut;
}

async function requireSome(transaction: Transaction, areaIds: readonly string[]): Promise<void> {
  const area = await transaction
    .selectFrom("areas")
    .select("id")
    .where("id", "in", areaIds)
    .where("deletedAt", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (area !== undefined) return;
  throw new ApiError(
    "NOT_FOUND",
    "Every area of this plan has been deleted. Nothing was started. Change the plan first.",
  );
}
