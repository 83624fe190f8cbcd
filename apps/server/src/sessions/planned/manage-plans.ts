import type { SeenPlan, SessionPlan } from "@stocktake/contract";
import { actorOf, areaNames, type NewAuditEntry, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { requireAsSeen } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { lockStoreToChange } from "../../stores/stores.ts";
import type { SessionServices } from "../services.ts";
import {
  type LockedPlan,
  lockPlan,
  type PlanDescription,
  type PlanRow,
  presentPlan,
  readAreasNow,
  requireAreas,
  requireOpen,
} from "./queries.ts";

/** Prepares a session. @throws ApiError NOT_FOUND for a store that is nowhere, VALIDATION for areas that are not of it. */
export async function createPlan(
  { database, events }: SessionServices,
  caller: AdminCaller,
  storeId: string,
  given: PlanDescription,
): Promise<SessionPlan> {
  const made = await database.transaction().execute(async (transaction) => {
    const store = await lockStoreToChange(transaction, storeId);
    await requireAreas(transaction, storeId, given);
    const plan = await transaction
      .insertInto("sessionPlans")
      .values({ storeId, ...columnsOf(given) })
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = await factsOf(transaction, plan);
    await record(transaction, caller, { store, plan }, { action: "plan.created", before: null, after });
    return present(transaction, plan, store.name);
  });
  events.publish({ type: "invitation", storeId });
  return made;
}

interface PlanEdit extends PlanDescription {
  /** What it began with; absent from apps that don't say. */
  readonly seen?: SeenPlan | undefined;
}

/**
 * Replaces what was planned.
 * @throws ApiError NOT_FOUND, for one that was started too, VALIDATION as createPlan, and CHANGED_MEANWHILE.
 */
export async function updatePlan(
  { database, events }: SessionServices,
  caller: AdminCaller,
  id: string,
  given: PlanEdit,
): Promise<SessionPlan> {
  const changed = await database.transaction().execute(async (transaction) => {
    const { store, plan: before } = await lockOpenPlan(transaction, id);
    await requireAreas(transaction, store.id, given);
    const plan = await transaction
      .updateTable("sessionPlans")
      .set(columnsOf(given))
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const planned = (row: PlanRow) => present(transaction, row, store.name);
    const [shownBefore, shown] = [await planned(before), await planned(plan)];
    requireAsSeen("The planned session", {
      seen: given.seen,
      before: contentOf(shownBefore),
      after: contentOf(shown),
    });
    const was = await factsOf(transaction, before);
    const is = await factsOf(transaction, plan);
    if (JSON.stringify(was) !== JSON.stringify(is)) {
      await record(transaction, caller, { store, plan }, { action: "plan.changed", before: was, after: is });
    }
    return shown;
  });
  events.publish({ type: "invitation", storeId: changed.storeId._id });
  return changed;
}

const present = async (transaction: Transaction, plan: PlanRow, storeName: string) =>
  presentPlan(plan, storeName, await readAreasNow(transaction, [plan]));

/** What an edit replaces. */
function contentOf({ name, note, scope, areaIds, people, assignmentsEnforced }: SessionPlan): SeenPlan {
  return { name, note, scope, areaIds, people, assignmentsEnforced };
}

/** Takes a plan away. @throws ApiError NOT_FOUND, the second time and for one that was started too. */
export async function deletePlan(
  { database, events }: SessionServices,
  caller: AdminCaller,
  id: string,
): Promise<void> {
  const storeId = await database.transaction().execute(async (transaction) => {
    const locked = await lockOpenPlan(transaction, id);
    await transaction
      .updateTable("sessionPlans")
      .set({ deletedAt: new Date() })
      .where("id", "=", id)
      .execute();
    const before = await factsOf(transaction, locked.plan);
    await record(transaction, caller, locked, { action: "plan.deleted", before, after: null });
    return locked.store.id;
  });
  events.publish({ type: "invitation", storeId });
}

async function lockOpenPlan(transaction: Transaction, id: string): Promise<LockedPlan> {
  const locked = await lockPlan(transaction, id);
  requireOpen(locked.plan);
  return locked;
}

/** An address is invited once, under the first of its names. */
function columnsOf({ name, note, scope, areaIds, people, assignmentsEnforced }: PlanDescription) {
  const given = people ?? [];
  const byAddress = new Map(given.toReversed().map((person) => [person.email.toLowerCase(), person]));
  const invited = given.filter((person) => byAddress.get(person.email.toLowerCase()) === person);
  return {
    ...{ name, note, scope, assignmentsEnforced, people: JSON.stringify(invited) },
    areaIds: areaIds === null ? null : [...new Set(areaIds)],
  };
}

/** What the audit log says of a plan: areas as a number, as there may be thousands, but by name where they are somebody's. */
async function factsOf(
  transaction: Transaction,
  { name, note, scope, areaIds, people, assignmentsEnforced }: PlanRow,
) {
  const nameOf = await areaNames(
    transaction,
    people.flatMap((person) => person.areaIds ?? []),
  );
  const invited = people.map(({ counterName, email, areaIds: own = [] }) =>
    own.length === 0
      ? `${counterName} <${email}>`
      : `${counterName} <${email}>: ${own.map(nameOf).join(", ")}`,
  );
  return { name, note, scope, areas: areaIds?.length ?? null, people: invited, assignmentsEnforced };
}

function record(
  transaction: Transaction,
  caller: AdminCaller,
  { store, plan }: LockedPlan,
  change: Pick<NewAuditEntry, "action" | "before" | "after">,
): Promise<void> {
  return recordAudit(transaction, {
    sessionId: null,
    actor: actorOf(caller),
    subject: { kind: "plan", id: plan.id, name: store.name },
    ...change,
  });
}
