import { type CallAnswer, type CallRequest, type createSearches, limits } from "@stocktake/contract";
import { sql } from "kysely";
import { storeOfArea } from "../areas/areas.ts";
import { actorOf, areaNames, recordAudit, sessionSubject } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { invalidField } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { explainPerson, lockSession, readAssignments } from "../sessions/sessions.ts";
import { joinAsAWhole, readMissed, requireCounting, sumUpMissed } from "./never-counted-queries.ts";
import { readLists } from "./search-queries.ts";
import type { SearchServices } from "./services.ts";

type Given = CallRequest<typeof createSearches>["body"];
type Created = CallAnswer<typeof createSearches>;

/** What somebody looks for in one go, unless the administrator says otherwise. */
const usualItems = 50;

/**
 * Makes search lists of what nobody has counted, each of products that are beside each other in the list of what was never counted.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, VALIDATION for a person or an area that is not of the session.
 */
export async function makeSearches(
  { database, events }: SearchServices,
  caller: AdminCaller,
  sessionId: string,
  given: Given,
): Promise<Created> {
  const { storeId, ...created } = await database.transaction().execute(async (transaction) => {
    const session = await lockSession(transaction, sessionId);
    requireCounting(session);
    await joinAsAWhole(transaction);
    await requireArea(transaction, session.storeId, given.areaId ?? null);
    const person = await findPerson(transaction, session, given.personId ?? null);
    const { skus, leftOut, remaining } = await chooseSkus(transaction, sessionId, given);
    const parts = inParts(skus, given.itemsPerList ?? usualItems);
    const first = await nextNumber(transaction, sessionId);
    for (const [index, part] of parts.entries()) {
      const list = { sessionId, number: first + index, areaId: given.areaId ?? null, ...person?.owner };
      await insertList(transaction, caller, list, part);
    }
    const lists = await readLists(transaction, sessionId, { count: parts.length });
    if (parts.length > 0) await record(transaction, caller, { sessionId, given, person, skus, parts, first });
    return { storeId: session.storeId, lists, leftOut, remaining };
  });
  if (created.lists.length > 0) events.publish({ type: "area", sessionId, storeId });
  return created;
}

async function requireArea(transaction: Transaction, storeId: string, areaId: string | null): Promise<void> {
  if (areaId === null || (await storeOfArea(transaction, areaId)) === storeId) return;
  throw invalidField("areaId", "This area is of another store.");
}

interface Person {
  readonly name: string;
  readonly owner: { readonly invitationId: string } | { readonly userId: string };
}

async function findPerson(
  transaction: Transaction,
  session: { readonly id: string; readonly assignmentsEnforcedAt: Date | null },
  personId: string | null,
): Promise<Person | null> {
  if (personId === null) return null;
  const { people } = await readAssignments(transaction, session);
  const person = people.find(({ _id }) => _id === personId);
  if (person === undefined) throw await explainPerson(transaction, personId, "personId");
  const { kind, name } = person;
  return { name, owner: kind === "invitation" ? { invitationId: personId } : { userId: personId } };
}

/** What the lists are made of, in the order of the list of what was never counted. */
async function chooseSkus(transaction: Transaction, sessionId: string, given: Given) {
  if (given.skus !== undefined) {
    const wanted = [...new Set(given.skus)];
    const found = await readMissed(
      transaction,
      sessionId,
      { skus: wanted },
      { after: null, count: wanted.length },
    );
    return { skus: found.map(({ sku }) => sku), leftOut: wanted.length - found.length, remaining: 0 };
  }
  const filter = { ...given.every, state: "unlisted" as const };
  const count = (given.itemsPerList ?? usualItems) * limits.searchLists;
  const found = await readMissed(transaction, sessionId, filter, { after: null, count });
  const { items } = await sumUpMissed(transaction, sessionId, filter);
  return { skus: found.map(({ sku }) => sku), leftOut: 0, remaining: items - found.length };
}

function inParts(skus: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(skus.length / size) }, (_nothing, index) =>
    skus.slice(index * size, (index + 1) * size),
  );
}

/** The session's row is held, so that nobody else takes it. */
async function nextNumber(transaction: Transaction, sessionId: string): Promise<number> {
  const { last } = await transaction
    .selectFrom("searchLists")
    .select(sql<number>`coalesce(max(number), 0)`.as("last"))
    .where("sessionId", "=", sessionId)
    .executeTakeFirstOrThrow();
  return last + 1;
}

interface NewList {
  readonly sessionId: string;
  readonly number: number;
  readonly areaId: string | null;
  readonly invitationId?: string | null;
  readonly userId?: string | null;
}

async function insertList(
  transaction: Transaction,
  caller: AdminCaller,
  { sessionId, number, areaId, invitationId = null, userId = null }: NewList,
  skus: readonly string[],
): Promise<void> {
  await transaction
    .insertInto("searchLists")
    .values({ sessionId, number, areaId, invitationId, userId, createdBy: caller.userId, withdrawnBy: null })
    .execute();
  await sql`
    insert into search_items (session_id, number, sku, place)
    select ${sessionId}::uuid, ${number}::integer, named.sku, named.place
    from unnest(${skus}::text[]) with ordinality named (sku, place)`.execute(transaction);
}

interface Recorded {
  readonly sessionId: string;
  readonly given: Given;
  readonly person: Person | null;
  readonly skus: readonly string[];
  readonly parts: readonly (readonly string[])[];
  readonly first: number;
}

async function record(
  transaction: Transaction,
  caller: AdminCaller,
  { sessionId, given, person, skus, parts, first }: Recorded,
): Promise<void> {
  const { areaId } = given;
  const area =
    areaId === undefined || areaId === null ? null : (await areaNames(transaction, [areaId]))(areaId);
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action: "search.created",
    subject: await sessionSubject(transaction, sessionId),
    before: null,
    after: {
      firstList: first,
      lists: parts.length,
      skus: skus.length,
      area,
      assignedTo: person?.name ?? null,
    },
  });
}
