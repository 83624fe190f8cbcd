import type { askSecondCounts, CallAnswer, NotAsked } from "@stocktake/contract";
import { groupBy } from "@stocktake/contract";
import { sql } from "kysely";
import { type NewAuditEntry, recordAudits } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { openAttempt, type Pass } from "../../passes/passes.ts";
import type { ScanningServices } from "../services.ts";
import { begin } from "./ask.ts";
import { isMade, readMade, requireSkus } from "./rounds-queries.ts";
import { readSecondCount } from "./second-count-queries.ts";

type Answer = CallAnswer<typeof askSecondCounts>;

/**
 * Has SKUs counted once more wherever they count: in each closed area a second count of just these. What can't be asked for is named with
 * the reason, and keeps nothing else from being asked for.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, VALIDATION for a SKU that the session does not have.
 */
export async function askOfSkus(
  { database, events }: ScanningServices,
  caller: AdminCaller,
  sessionId: string,
  skus: readonly string[],
): Promise<Answer> {
  const { answer, storeId } = await database.transaction().execute(async (transaction) => {
    const storeId = await holdCounting(transaction, sessionId);
    const wanted = await requireSkus(transaction, sessionId, skus);
    return { answer: await askEach(transaction, caller, sessionId, wanted), storeId };
  });
  if (answer.secondCounts.length > 0) events.publish({ type: "area", sessionId, storeId });
  return answer;
}

/** Holds the session against its end. Returns its store. */
async function holdCounting(transaction: Transaction, sessionId: string): Promise<string> {
  const session = await transaction
    .selectFrom("sessions")
    .select(["storeId", "status"])
    .where("id", "=", sessionId)
    .forShare()
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  if (session.status !== "closed") return session.storeId;
  throw new ApiError(
    "SESSION_CLOSED",
    "This session has ended, so nothing in it can be counted a second time. Start a session of just these products from its report.",
  );
}

async function askEach(
  transaction: Transaction,
  caller: AdminCaller,
  sessionId: string,
  skus: readonly string[],
): Promise<Answer> {
  await lockAreasOf(transaction, sessionId, skus);
  const places = await readPlaces(transaction, sessionId, skus);
  const counted = new Set(places.map(({ sku }) => sku));
  const notAsked: NotAsked[] = skus
    .filter((sku) => !counted.has(sku))
    .map((sku) => ({ sku, area: null, why: "never_counted" }));
  const passes: Pass[] = [];
  const entries: NewAuditEntry[] = [];
  for (const inArea of groupBy(places, ({ areaId }) => areaId).values()) {
    const asked = await askInArea(transaction, caller, sessionId, inArea);
    notAsked.push(...asked.notAsked);
    if (asked.begun === null) continue;
    passes.push(asked.begun.pass);
    entries.push(asked.begun.entry);
  }
  // The log's chain is locked last, once everything is begun.
  if (entries.length > 0) await recordAudits(transaction, sessionId, entries);
  const secondCounts: Answer["secondCounts"] = [];
  for (const pass of passes) secondCounts.push(await readSecondCount(transaction, pass));
  return { secondCounts, notAsked };
}

/** A SKU in an area of the session in which it counts. */
interface Place {
  readonly sku: string;
  readonly areaId: string;
  readonly code: string;
  readonly name: string;
  readonly locationName: string;
  readonly pass: number;
  readonly isClosed: boolean;
}

async function lockAreasOf(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
): Promise<void> {
  await sql`
    select from areas where id in (
      select area_id from scan_totals
      where session_id = ${sessionId} and quantity > 0 and sku = any(${skus}::text[]))
    order by id for update`.execute(transaction);
}

/** As the locked areas have them, in the order of the areas and SKUs. */
async function readPlaces(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
): Promise<readonly Place[]> {
  const { rows } = await sql<Place>`
    select total.sku, total.area_id, area.code, area.name, location.name as location_name, area.pass,
      area.status = 'closed' and area.deleted_at is null and area.pass = total.pass as is_closed
    from scan_totals total
    join areas area on area.id = total.area_id
    join locations location on location.id = area.location_id
    where total.session_id = ${sessionId} and total.quantity > 0 and total.sku = any(${skus}::text[])
    order by location.name, area.code, area.id, total.sku`.execute(transaction);
  return rows;
}

interface AskedInArea {
  readonly begun: { readonly pass: Pass; readonly entry: NewAuditEntry } | null;
  readonly notAsked: readonly NotAsked[];
}

async function askInArea(
  transaction: Transaction,
  caller: AdminCaller,
  sessionId: string,
  places: readonly Place[],
): Promise<AskedInArea> {
  const [place] = places;
  if (place === undefined) return { begun: null, notAsked: [] };
  const { areaId, code, name, locationName, pass, isClosed } = place;
  const because = (why: NotAsked["why"], skus: readonly Place[]): NotAsked[] =>
    skus.map(({ sku }) => ({ sku, area: { _id: areaId, code, name, locationName }, why }));
  if (!isClosed) return { begun: null, notAsked: because("not_closed", places) };
  const area = { sessionId, areaId, pass };
  if ((await openAttempt(transaction, area)) !== undefined) {
    return { begun: null, notAsked: because("open", places) };
  }
  const made = await readMade(transaction, area);
  const notAsked = because(
    "made",
    places.filter(({ sku }) => isMade(made, sku)),
  );
  const onlySkus = places.map(({ sku }) => sku).filter((sku) => !isMade(made, sku));
  if (onlySkus.length === 0) return { begun: null, notAsked };
  const begun = await begin(transaction, caller, area, { round: 2, onlySkus });
  return { begun: { pass: { ...area, pass: begun.pass }, entry: begun.entry }, notAsked };
}
