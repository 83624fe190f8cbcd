import {
  type CallRequest,
  type CountSheet,
  limits,
  matchProduct,
  type ProductIndex,
  type printSheets,
} from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit, sessionSubject } from "../../audit/audit.ts";
import type { SessionProduct } from "../../catalogue/catalogue.ts";
import type { Transaction } from "../../database/pool.ts";
import type { PrintedLine } from "../../database/tables.ts";
import { notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { ScanningServices } from "../../scanning/scanning.ts";
import { type CountingPlace, readPlace } from "../count-rows/place-queries.ts";
import { likelyProducts } from "./likely-products.ts";
import { holdSession, presentSheet, readSheets } from "./sheet-queries.ts";

type Request = CallRequest<typeof printSheets>["body"];

/** A sheet before it has a number. */
interface NewSheet {
  readonly areaId: string;
  readonly lines: readonly PrintedLine[];
  readonly blankLines: number;
}

/**
 * Makes the count sheets of areas, each with a number of its own, for whoever prints them.
 * @throws ApiError NOT_FOUND for a session or an area of its store that is not there, SESSION_CLOSED, SESSION_ENDING.
 */
export async function makeSheets(
  context: ScanningServices,
  caller: AdminCaller,
  sessionId: string,
  request: Request,
): Promise<CountSheet[]> {
  const { database, events } = context;
  const place = await readPlace(database, sessionId);
  const drafted = await draftSheets(context, place, request);
  const numbers = await database.transaction().execute(async (transaction) => {
    await holdSession(transaction, sessionId);
    await holdAreas(transaction, [...new Set(request.areaIds)]);
    const first = await nextNumber(transaction, sessionId);
    await insertSheets(transaction, caller, { sessionId, first, order: request.order }, drafted);
    const last = first + drafted.length - 1;
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "sheets.printed",
      subject: await sessionSubject(transaction, sessionId),
      before: null,
      after: { firstSheet: first, lastSheet: last, areas: request.areaIds.length, order: request.order },
    });
    return { from: first, count: drafted.length };
  });
  events.publish({ type: "area", sessionId, storeId: place.storeId });
  return (await readSheets(database, sessionId, numbers)).map(presentSheet);
}

async function draftSheets(
  { database, catalogue }: Pick<ScanningServices, "database" | "catalogue">,
  { sessionId, storeId, catalogueVersion }: CountingPlace,
  { areaIds: asked, order, blankPages }: Request,
): Promise<NewSheet[]> {
  const areaIds = [...new Set(asked)];
  const { areas } = await database
    .selectFrom("areas")
    .select(({ fn }) => fn.countAll<number>().as("areas"))
    .where("storeId", "=", storeId)
    .where("deletedAt", "is", null)
    .where("id", "in", areaIds)
    .executeTakeFirstOrThrow();
  if (Number(areas) < areaIds.length) throw notFound("An area");
  const { index } = await catalogue.sessionIndex(sessionId, catalogueVersion);
  const products = await likelyProducts(database, storeId, areaIds, {
    order,
    find: (sku) => index.bySku.get(sku)?.find((product) => product.sku === sku),
  });
  return areaIds.flatMap((areaId) => {
    const lines = (products.get(areaId) ?? []).map((product) => lineOf(index, product));
    return sheetsOf(lines, blankPages).map((sheet) => ({ areaId, ...sheet }));
  });
}

function lineOf(index: ProductIndex<SessionProduct>, { sku, productTitle, size, barcode }: SessionProduct) {
  const found = barcode === null ? null : matchProduct(index, barcode, "barcode");
  const isItsOwn = found?.kind === "one" && found.product.sku === sku;
  return { sku, productTitle, size, code: isItsOwn && barcode !== null ? barcode : sku };
}

/** So many blank lines are there in any case, for what nobody expects. */
const fewestBlankLines = 4;

/** The last sheet of an area has its blank lines, and is filled up with them to the end of the page. */
function sheetsOf(lines: readonly PrintedLine[], blankPages: number): Omit<NewSheet, "areaId">[] {
  const { sheetProducts: most, sheetLinesPerPage: perPage } = limits;
  const sheets: Omit<NewSheet, "areaId">[] = [];
  for (let from = 0; from + most < lines.length; from += most) {
    sheets.push({ lines: lines.slice(from, from + most), blankLines: 0 });
  }
  const last = lines.slice(sheets.length * most);
  const pages = Math.ceil((last.length + fewestBlankLines) / perPage) + blankPages;
  return [...sheets, { lines: last, blankLines: pages * perPage - last.length }];
}

/** Holds areas as they are until the transaction ends. @throws ApiError NOT_FOUND for one that is deleted. */
async function holdAreas(transaction: Transaction, areaIds: readonly string[]): Promise<void> {
  const held = await transaction
    .selectFrom("areas")
    .select("id")
    .where("id", "in", areaIds)
    .where("deletedAt", "is", null)
    .orderBy("id")
    .forKeyShare()
    .execute();
  if (held.length < areaIds.length) throw notFound("An area");
}

/**
 * The number of the next sheet. A backup lacks the sheets that were printed after it, or after an earlier restore of it: for its
 * sessions the first number after a restore comes from the restore's time, which nothing of a backup holds back, and no
 * printer is as fast. Where that time is of a clock that was set wrongly, it is drawn by the restore's epoch, beyond all that
 * come from times.
 */
async function nextNumber(transaction: Transaction, sessionId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    with life as (
      select session.backup_made_at is not null as is_of_backup, installation.restored_at,
        installation.restored_at >= installation.backup_made_at as is_after_backup,
        1 + floor(${numbersPerSecond} * extract(epoch from installation.restored_at - session.started_at)) as by_time,
        ${firstDrawn} + (hashtextextended(installation.epoch, 0) & ${drawnRange}) as drawn
      from sessions session
      cross join installation
      where session.id = ${sessionId}
    ), beginning as (
      select case
        when not is_of_backup then 1
        when is_after_backup and by_time between 1 and ${firstDrawn} - 1 and not exists (
          select from count_sheets
          where session_id = ${sessionId} and number >= by_time and number < ${firstDrawn} and printed_at < restored_at)
          then by_time
        else drawn end as first
      from life
    )
    select greatest(first, (
      select max(number) + 1 from count_sheets
      where session_id = ${sessionId} and number >= first
        and number < case when first < ${firstDrawn} then ${firstDrawn} else first + ${numbersOfDraw} end
    ))::integer as next
    from beginning`.execute(transaction);
  return rows[0]?.next ?? 1;
}

/** More than are printed in a second, and few enough for a session of a year. */
const numbersPerSecond = sql.lit(10);

/** The numbers that are drawn: from here on, among so many (a mask of bits), and of each draw so many in a row. An address takes nine digits. */
const firstDrawn = sql.lit(500_000_000);
const drawnRange = sql.lit(2 ** 28 - 1);
const numbersOfDraw = sql.lit(50_000);

async function insertSheets(
  transaction: Transaction,
  caller: AdminCaller,
  { sessionId, first, order }: { sessionId: string; first: number; order: Request["order"] },
  sheets: readonly NewSheet[],
): Promise<void> {
  const rows = sheets.map(({ areaId, lines, blankLines }, index) => ({
    number: first + index,
    area_id: areaId,
    lines,
    products: lines.length,
    blank_lines: blankLines,
  }));
  await sql`
    insert into count_sheets (session_id, number, area_id, pass, listed_by, lines, products, blank_lines, printed_by)
    select ${sessionId}::uuid, sheet.number, sheet.area_id, area.pass, ${order}, sheet.lines, sheet.products,
      sheet.blank_lines, ${caller.userId}::uuid
    from json_to_recordset(${JSON.stringify(rows)}::json) as sheet (
      number integer, area_id uuid, lines jsonb, products integer, blank_lines integer)
    join areas area on area.id = sheet.area_id`.execute(transaction);
}
