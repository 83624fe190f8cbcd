import type { PlannedPerson, SessionPlan } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import { areaName } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import type { SessionPlansTable } from "../../database/tables.ts";
import { invalidField, notFound } from "../../kernel/api-error.ts";
import { newestFirst, type Page, type PageRequest, pageOf } from "../../kernel/paging.ts";
import { lockStoreToChange, type StoreRow } from "../../stores/stores.ts";

export type PlanRow = Selectable<SessionPlansTable>;

/** What a plan holds, as it is given. */
export interface PlanDescription {
  readonly name: string | null;
  readonly note: string | null;
  readonly scope: "full" | "partial";
  readonly areaIds: readonly string[] | null;
  readonly people: readonly PlannedPerson[] | null;
  readonly assignmentsEnforced: boolean;
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
  const areas = await readAreasNow(database, plans.items);
  return { ...plans, items: plans.items.map((row) => presentPlan(row, row.storeName, areas)) };
}

/** An area that a plan names, as it is now: itself, or the one that it was merged into. */
interface AreaNow {
  readonly id: string;
  readonly name: string;
  readonly isDeleted: boolean;
}

export type AreasNow = ReadonlyMap<string, AreaNow>;

const areasNamedBy = ({ areaIds, people }: PlanRow) => [
  ...(areaIds ?? []),
  ...people.flatMap((person) => person.areaIds ?? []),
];

/** What the areas are now that plans name, by the id that they are named by. */
export async function readAreasNow(database: Database, plans: readonly PlanRow[]): Promise<AreasNow> {
  const ids = [...new Set(plans.flatMap(areasNamedBy))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ namedId: string; id: string; code: string; name: string; isDeleted: boolean }>`
    select named.id as named_id, area.id, area.code, area.name,
      (area.deleted_at is not null or location.deleted_at is not null) as is_deleted
    from areas named
    join areas area on area.id = coalesce(named.merged_into, named.id)
    join locations location on location.id = area.location_id
    where named.id = any(${ids}::uuid[])`.execute(database);
  return new Map(
    rows.map(({ namedId, id, isDeleted, ...area }) => [namedId, { id, name: areaName(area), isDeleted }]),
  );
}

/** The people of a plan, each with those of their areas that are there. */
export function peopleNow({ people }: PlanRow, areas: AreasNow): PlannedPerson[] {
  return people.map(({ counterName, email, areaIds = [] }) => ({
    ...{ counterName, email, areaIds: presentIds(areaIds, areas) },
  }));
}

function presentIds(ids: readonly string[], areas: AreasNow): string[] {
  const found = ids.flatMap((id) => areas.get(id) ?? []);
  return [...new Set(found.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id))];
}

/** The areas that a plan names and that are gone, by name. */
export function deletedAreas(plan: PlanRow, areas: AreasNow): string[] {
  const named = areasNamedBy(plan).flatMap((id) => areas.get(id) ?? []);
  return [...new Set(named.filter(({ isDeleted }) => isDeleted).map(({ name }) => name))].sort();
}

export function presentPlan(row: PlanRow, storeName: string, areas: AreasNow): SessionPlan {
  const { id, storeId, name, note, scope, areaIds, assignmentsEnforced, createdAt } = row;
  return {
    ...{ _id: id, storeId: { _id: storeId, name: storeName }, name, note, scope },
    areaIds: areaIds === null ? null : presentIds(areaIds, areas),
    people: peopleNow(row, areas),
    assignmentsEnforced,
    deletedAreas: deletedAreas(row, areas),
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

/** Throws VALIDATION for areas that are not of the store, for a full count of some, and for somebody's that are not counted. */
export async function requireAreas(
  transaction: Transaction,
  storeId: string,
  { scope, areaIds, people }: Pick<PlanDescription, "scope" | "areaIds" | "people">,
): Promise<void> {
  requireCounted(areaIds, people ?? []);
  const assigned = (people ?? []).flatMap((person) => person.areaIds);
  await requireOfStore(transaction, storeId, areaIds ?? assigned);
  if (areaIds !== null && scope === "full") {
    throw invalidField(
      "areaIds",
      "A full count is of every area. Choose a partial count to leave areas out.",
    );
  }
}

function requireCounted(areaIds: readonly string[] | null, people: readonly PlannedPerson[]): void {
  if (areaIds === null) return;
  const counted = new Set(areaIds);
  const index = people.findIndex((person) => person.areaIds.some((id) => !counted.has(id)));
  if (index < 0) return;
  throw invalidField(
    `people.${index}.areaIds`,
    "An area that is assigned is not counted by this plan. Choose it among the areas too, or assign another.",
  );
}

async function requireOfStore(
  transaction: Transaction,
  storeId: string,
  areaIds: readonly string[],
): Promise<void> {
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
