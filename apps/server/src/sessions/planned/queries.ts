import type { PlannedPerson, SessionPlan } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../../database/pool.ts";
import type { SessionPlansTable } from "../../database/tables.ts";
import { invalidField, notFound } from "../../kernel/api-error.ts";
import { newestFirst, type Page, type PageRequest, pageOf } from "../../kernel/paging.ts";
import { lockStoreToChange, type StoreRow } from "../../stores/stores.ts";

export type PlanRow = Selectable<SessionPlansTable>;

/** What a plan holds, as it is given. */
export interface PlanWords {
  readonly name: string | null;
  readonly note: string | null;
  readonly scope: "full" | "partial";
  readonly areaIds: readonly string[] | null;
  readonly people: readonly PlannedPerson[] | null;
}

/** A store and its plan, both held until the transaction ends: every change of a plan holds its store's row first. */
export interface LockedPlan {
  readonly store: StoreRow;
  readonly plan: PlanRow;
}

/** The plans that have not been started, newest first. */
export async function listPlans(database: Database, page: PageRequest): Promise<Page<SessionPlan>> {
  const rows = await database
    .selectFrom("sessionPlans")
    .innerJoin("stores", "stores.id", "sessionPlans.storeId")
    .selectAll("sessionPlans")
    .select("stores.name as storeName")
    .where("sessionPlans.sessionId", "is", null)
    .where("sessionPlans.deletedAt", "is", null)
    .where("stores.deletedAt", "is", null)
    .execute();
  const plans = pageOf(
    page,
    rows,
    newestFirst(({ createdAt }) => createdAt),
  );
  return { ...plans, items: plans.items.map((row) => presentPlan(row, row.storeName)) };
}

export function presentPlan(row: PlanRow, storeName: string): SessionPlan {
  const { id, storeId, name, note, scope, areaIds, people, createdAt } = row;
  return {
    ...{ _id: id, storeId: { _id: storeId, name: storeName }, name, note, scope, areaIds, people },
    createdAt: createdAt.toISOString(),
  };
}

/** Throws NOT_FOUND for a plan that was started: it is a session now. */
export function requireOpen(plan: PlanRow): void {
  if (plan.sessionId !== null) throw notFound("The planned session");
}

/** Locks the store of a plan, then reads the plan, started or not. Throws NOT_FOUND. */
export async function lockPlan(transaction: Transaction, id: string): Promise<LockedPlan> {
  const known = await findPlan(transaction, id);
  const store = await lockStoreToChange(transaction, known.storeId);
  return { store, plan: await findPlan(transaction, id) };
}

/** Started or not. Throws NOT_FOUND. */
export async function findPlan(transaction: Transaction, id: string): Promise<PlanRow> {
  const plan = await transaction
    .selectFrom("sessionPlans")
    .selectAll()
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (plan === undefined) throw notFound("The planned session");
  return plan;
}

/** Throws VALIDATION for areas that are not of the store, and for a full count of some of them. */
export async function requireAreas(
  transaction: Transaction,
  storeId: string,
  { scope, areaIds }: Pick<PlanWords, "scope" | "areaIds">,
): Promise<void> {
  if (areaIds === null) return;
  if (scope === "full") {
    throw invalidField(
      "areaIds",
      "A full count is of every area. Choose a partial count to leave areas out.",
    );
  }
  const { rows } = await sql`
    select from unnest(${areaIds}::uuid[]) given (id)
    where not exists (
      select from areas area where area.id = given.id and area.store_id = ${storeId} and area.deleted_at is null)
    limit 1`.execute(transaction);
  if (rows.length > 0) {
    throw invalidField(
      "areaIds",
      "An area of the plan is not in this store any more. Choose the areas again.",
    );
  }
}
