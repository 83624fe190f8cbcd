import type {
  AssignablePerson,
  Assignments,
  assignAreas as assignAreasCall,
  CallInput,
} from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, areaNames, recordAudit, sessionSubject } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { assignTo } from "../../passes/passes.ts";
import { lockSession } from "../queries.ts";
import type { SessionServices } from "../services.ts";
import { readAssignments } from "./queries.ts";

type Given = CallInput<typeof assignAreasCall>["body"];
type GivenPerson = NonNullable<Given["people"]>[number];

/**
 * Assigns areas of a running session, at any time: those of each person named become theirs, or, of an edit that says what it began
 * with, what it gave and took is given and taken. Of the assignments of others nothing changes. Whoever scans where they are not assigned is counted all the same.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, VALIDATION for people or areas that are not of the session.
 */
export async function assignAreas(
  { database, events }: SessionServices,
  caller: AdminCaller,
  sessionId: string,
  given: Given,
): Promise<Assignments> {
  const { storeId, assignments } = await database.transaction().execute(async (transaction) => {
    const session = await lockSession(transaction, sessionId);
    if (session.status === "closed") throw sessionOver();
    const before = await readAssignments(transaction, session);
    const people = given.people ?? [];
    await requireAreas(transaction, session.storeId, people);
    for (const [index, given] of people.entries()) {
      const { personId } = given;
      const person = before.people.find(({ _id }) => _id === personId);
      if (person === undefined) throw await explainPerson(transaction, personId, `people.${index}.personId`);
      await replace(transaction, sessionId, person, areasAfter(person, given));
    }
    const assignmentsEnforcedAt = await enforce(transaction, session, given.enforced);
    const after = await readAssignments(transaction, { id: sessionId, assignmentsEnforcedAt });
    await record(transaction, caller, sessionId, before, after);
    return { storeId: session.storeId, assignments: after };
  });
  events.publish({ type: "area", sessionId, storeId });
  return assignments;
}

function sessionOver(): ApiError {
  return new ApiError(
    "SESSION_CLOSED",
    "This counting session has ended, so nobody counts its areas any more.",
  );
}

/** Why nobody of a session has the id that the field names. */
export async function explainPerson(transaction: Transaction, id: string, field: string): Promise<ApiError> {
  const { rows } = await sql`
    select from invitations where id = ${id} union all select from users where id = ${id}`.execute(
    transaction,
  );
  if (rows.length === 0) return notFound("The person");
  return invalidField(field, "This person does not count in the session, or not any more.");
}

/** The areas of a person by an edit: where that says what it began with, beside what others gave and took meanwhile. */
function areasAfter(person: AssignablePerson, { areaIds, seenAreaIds }: GivenPerson): readonly string[] {
  const wanted = areaIds ?? [];
  if (seenAreaIds === undefined) return wanted;
  const taken = new Set(seenAreaIds.filter((id) => !wanted.includes(id)));
  const given = wanted.filter((id) => !(seenAreaIds.includes(id) || person.areaIds.includes(id)));
  return [...person.areaIds.filter((id) => !taken.has(id)), ...given];
}

async function requireAreas(
  transaction: Transaction,
  storeId: string,
  people: readonly GivenPerson[],
): Promise<void> {
  // What an edit found there may be gone since.
  const ids = [
    ...new Set(
      people.flatMap(({ areaIds, seenAreaIds = [] }) =>
        (areaIds ?? []).filter((id) => !seenAreaIds.includes(id)),
      ),
    ),
  ];
  const areas = await transaction
    .selectFrom("areas")
    .select("storeId")
    .where("id", "=", sql<string>`any(${ids}::uuid[])`)
    .where("deletedAt", "is", null)
    .execute();
  if (areas.length < ids.length) throw notFound("An area");
  if (areas.some((area) => area.storeId !== storeId)) {
    throw invalidField("people", "One of the areas is of another store.");
  }
}

/** What stays keeps the time since when it is assigned. */
async function replace(
  transaction: Transaction,
  sessionId: string,
  { _id, kind }: AssignablePerson,
  areaIds: readonly string[],
): Promise<void> {
  const [invitationId, userId] = kind === "invitation" ? [_id, null] : [null, _id];
  await sql`
    delete from area_assignments where session_id = ${sessionId} and ${_id}::uuid in (invitation_id, user_id)
      and area_id <> all(${areaIds}::uuid[])`.execute(transaction);
  await assignTo(transaction, { sessionId, invitationId, userId }, areaIds);
}

/** Returns since when it is enforced. */
async function enforce(
  transaction: Transaction,
  session: { readonly id: string; readonly assignmentsEnforcedAt: Date | null },
  enforced: boolean | undefined,
): Promise<Date | null> {
  const isEnforced = session.assignmentsEnforcedAt !== null;
  if (enforced === undefined || enforced === isEnforced) return session.assignmentsEnforcedAt;
  const { assignmentsEnforcedAt } = await transaction
    .updateTable("sessions")
    .set({ assignmentsEnforcedAt: enforced ? sql<Date>`now()` : null })
    .where("id", "=", session.id)
    .returning("assignmentsEnforcedAt")
    .executeTakeFirstOrThrow();
  return assignmentsEnforcedAt;
}

/** Names, of the people whose areas changed, and of their areas. */
async function record(
  transaction: Transaction,
  caller: AdminCaller,
  sessionId: string,
  before: Assignments,
  after: Assignments,
): Promise<void> {
  const changed = after.people.filter(({ _id, areaIds }) => areaIds.join() !== areasOf(before, _id).join());
  const named = [before, after].flatMap(({ people }) => people.flatMap(({ areaIds }) => areaIds));
  const nameOf = await areaNames(transaction, named);
  const facts = (assignments: Assignments) => ({
    enforced: assignments.enforced,
    people: changed.map(
      ({ _id, name }) => `${name}: ${areasOf(assignments, _id).map(nameOf).join(", ") || "none"}`,
    ),
  });
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action: "areas.assigned",
    subject: await sessionSubject(transaction, sessionId),
    before: facts(before),
    after: facts(after),
  });
}

function areasOf({ people }: Assignments, id: string): readonly string[] {
  return people.find(({ _id }) => _id === id)?.areaIds ?? [];
}
