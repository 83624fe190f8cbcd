import { type CallAnswer, type CallRequest, type createSearches, limits } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, areaNames, recordAudit, sessionSubject } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { countedSkus, joinAsAWhole, readOfSession } from "../reports/reports.ts";
import { explainPerson, lockSession, readAssignments } from "../sessions/sessions.ts";
import { missedStock, requireArea, requireCounting } from "./never-counted-queries.ts";
import { readLists } from "./search-queries.ts";
import type { SearchServices } from "./services.ts";

type Given = CallRequest<typeof createSearches>["body"];
type Created = CallAnswer<typeof createSearches>;

/** What somebody looks for in one go, unless the administrator says otherwise. */
const usualItems = 50;

/**
 * Makes search lists of what nobody has counted, each of products that are beside each other in the list of what was never counted. The shop's
 * stock is read before the session is locked, which whoever finishes or resets an area waits for.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, VALIDATION for a person or an area that is not of the session.
 */
export async function makeSearches(
  services: SearchServices,
  caller: AdminCaller,
  sessionId: string,
  given: Given,
): Promise<Created> {
  const { database, events } = services;
  const chosen = await readOfSession(database, caller, sessionId, (reader, session) => {
    requireCounting(session);
    return chooseSkus(reader, sessionId, given);
  });
  const { storeId, numbers, skus } = await keepLists(services, caller, { sessionId, given, chosen });
  const leftOut = given.skus === undefined ? 0 : new Set(given.skus).size - skus;
  const { remaining } = chosen;
  if (numbers.count === 0) return { lists: [], leftOut, remaining };
  events.publish({ type: "area", sessionId, storeId });
  const before = numbers.first + numbers.count;
  const lists = await readOfSession(database, caller, sessionId, (reader) =>
    readLists(reader, sessionId, { before, count: numbers.count }),
  );
  return { lists, leftOut, remaining };
}

interface Choice {
  readonly sessionId: string;
  readonly given: Given;
  readonly chosen: { readonly skus: readonly string[] };
}

async function keepLists(
  { database }: SearchServices,
  caller: AdminCaller,
  { sessionId, given, chosen }: Choice,
) {
  return database.transaction().execute(async (transaction) => {
    const session = await lockSession(transaction, sessionId);
    requireCounting(session);
    await requireArea(transaction, session.storeId, given.areaId, "areaId");
    await requireArea(transaction, session.storeId, given.every?.areaId, "every.areaId");
    const person = await findPerson(transaction, session, given.personId ?? null);
    const skus = await stillToFind(transaction, sessionId, chosen.skus, given);
    const size = given.itemsPerList ?? usualItems;
    const first = await nextNumber(transaction, sessionId);
    const made = { sessionId, first, size, areaId: given.areaId ?? null, person, skus };
    const count = Math.ceil(skus.length / size);
    if (count > 0) {
      await insertLists(transaction, caller, made);
      await record(transaction, caller, { ...made, lists: count });
    }
    return { storeId: session.storeId, numbers: { first, count }, skus: skus.length };
  });
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

/** What the lists are made of, in the order of the list of what was never counted, and how many SKUs more there are. */
async function chooseSkus(reader: Database, sessionId: string, { skus, every, itemsPerList }: Given) {
  const named = skus === undefined ? null : [...new Set(skus)];
  const filter = named === null ? { ...every, state: "unlisted" as const } : { skus: named };
  const most = named?.length ?? (itemsPerList ?? usualItems) * limits.searchLists;
  const { rows } = await sql<{ sku: string; total: number }>`
    with ${missedStock(sessionId, filter)}
    select sku, count(*) over () as total from missed
    order by vendor, product_title, sku limit ${most}`.execute(reader);
  return { skus: rows.map(({ sku }) => sku), remaining: (rows[0]?.total ?? 0) - rows.length };
}

/** What was counted since the shop's stock was read is left out, and so is, unless it was named, what is on a list by now. */
async function stillToFind(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
  { every }: Given,
): Promise<readonly string[]> {
  await joinAsAWhole(transaction);
  const isUnlisted = sql`not exists (select from search_answers answer
      where answer.session_id = ${sessionId} and answer.sku = chosen.sku)
    and not exists (select from search_items item
      join search_lists list on list.session_id = item.session_id and list.number = item.number
      where item.session_id = ${sessionId} and item.sku = chosen.sku and list.withdrawn_at is null)`;
  const { rows } = await sql<{ sku: string }>`
    select chosen.sku from unnest(${skus}::text[]) with ordinality chosen (sku, place)
    where not exists (select from ${countedSkus(sessionId)} counted where counted.sku = chosen.sku)
      and ${every === undefined ? sql`true` : isUnlisted}
    order by chosen.place`.execute(transaction);
  return rows.map(({ sku }) => sku);
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

interface NewLists {
  readonly sessionId: string;
  /** The number of the first, and how many SKUs each has. */
  readonly first: number;
  readonly size: number;
  readonly areaId: string | null;
  readonly person: Person | null;
  readonly skus: readonly string[];
}

async function insertLists(
  transaction: Transaction,
  { userId: createdBy }: AdminCaller,
  { sessionId, first, size, areaId, person, skus }: NewLists,
): Promise<void> {
  const { invitationId, userId } = { invitationId: null, userId: null, ...person?.owner };
  await sql`
    with chosen as materialized (
      select sku, ${first}::integer + ((place - 1) / ${size}::integer)::integer as number,
        ((place - 1) % ${size}::integer + 1)::integer as place
      from unnest(${skus}::text[]) with ordinality named (sku, place)),
    made as (
      insert into search_lists (session_id, number, area_id, invitation_id, user_id, created_by)
      select distinct ${sessionId}::uuid, number, ${areaId}::uuid, ${invitationId}::uuid, ${userId}::uuid, ${createdBy}::uuid
      from chosen)
    insert into search_items (session_id, number, sku, place)
    select ${sessionId}::uuid, number, sku, place from chosen`.execute(transaction);
}

async function record(
  transaction: Transaction,
  caller: AdminCaller,
  { sessionId, areaId, person, skus, first, lists }: NewLists & { readonly lists: number },
): Promise<void> {
  const area = areaId === null ? null : (await areaNames(transaction, [areaId]))(areaId);
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action: "search.created",
    subject: await sessionSubject(transaction, sessionId),
    before: null,
    after: { firstList: first, lists, skus: skus.length, area, assignedTo: person?.name ?? null },
  });
}
