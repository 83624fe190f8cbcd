import type { CountSheet } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database, Transaction } from "../../database/pool.ts";
import type { PrintedLine, SheetEntries } from "../../database/tables.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import { requireUnarchived } from "../../sessions/sessions.ts";
import { readPlace } from "../count-rows/place-queries.ts";

/** A count sheet as it is stored, without its lines. */
export interface SheetRow {
  readonly sessionId: string;
  readonly storeId: string;
  readonly number: number;
  readonly areaId: string;
  readonly areaCode: string;
  readonly areaName: string;
  readonly locationName: string;
  readonly listedBy: "walk" | "title";
  readonly products: number;
  readonly blankLines: number;
  readonly printedAt: Date;
  readonly printedByName: string;
  readonly returnedAt: Date | null;
  readonly returnedByName: string | null;
  readonly countedByName: string | null;
  readonly keyedRows: number | null;
  readonly keyedUnits: number | null;
  readonly declaredTotal: number | null;
  readonly storedAt: Date | null;
  readonly voidedAt: Date | null;
  readonly voidedByName: string | null;
  readonly voidReason: string | null;
}

/** The columns of a `SheetRow`, and the tables that they are of, under the alias `sheet` and others. */
const listedColumns = sql`sheet.session_id, session.store_id, sheet.number, sheet.area_id, area.code as area_code, area.name as area_name,
  location.name as location_name, sheet.listed_by, sheet.products, sheet.blank_lines, sheet.printed_at,
  printer.username as printed_by_name, sheet.returned_at, keyer.username as returned_by_name,
  counter.username as counted_by_name, sheet.keyed_rows, sheet.keyed_units, sheet.declared_total, sheet.stored_at,
  sheet.voided_at, voider.username as voided_by_name, sheet.void_reason`;
const listedTables = sql`count_sheets sheet
  join sessions session on session.id = sheet.session_id
  join areas area on area.id = sheet.area_id
  join locations location on location.id = area.location_id
  join users printer on printer.id = sheet.printed_by
  left join users keyer on keyer.id = sheet.returned_by
  left join users counter on counter.id = sheet.counted_by
  left join users voider on voider.id = sheet.voided_by`;

/** Sheets of a session from a number on, in the order of their numbers. */
export async function readSheets(
  database: Database,
  sessionId: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<SheetRow[]> {
  const { rows } = await sql<SheetRow>`
    select ${listedColumns} from ${listedTables}
    where sheet.session_id = ${sessionId} and sheet.number >= ${from}::bigint
    order by sheet.number limit ${count}`.execute(database);
  return rows;
}

/** A sheet with what is printed on it, what was keyed from it, and its area as it is now. */
export interface WholeSheet extends SheetRow {
  readonly pass: number;
  readonly lines: readonly PrintedLine[];
  readonly entries: SheetEntries | null;
  readonly countedBy: string | null;
  readonly countedAt: Date | null;
  readonly countedPass: number | null;
  /** The sheet's area, or the one that it was merged into since. */
  readonly present: {
    readonly id: string;
    readonly code: string;
    readonly locationId: string;
    readonly status: "not_started" | "in_progress" | "closed";
    readonly pass: number;
    readonly isDeleted: boolean;
  };
}

/** @throws ApiError NOT_FOUND, SESSION_ARCHIVED. */
export async function findSheet(database: Database, sessionId: string, number: number): Promise<WholeSheet> {
  const { rows } = await sql<WholeSheet>`
    select ${listedColumns}, sheet.pass, sheet.lines, sheet.entries, sheet.counted_by, sheet.counted_at, sheet.counted_pass,
      json_build_object('id', present.id, 'code', present.code, 'locationId', present.location_id, 'status', present.status,
        'pass', present.pass, 'isDeleted', present.deleted_at is not null) as present
    from ${listedTables} join areas present on present.id = coalesce(area.merged_into, area.id)
    where sheet.session_id = ${sessionId} and sheet.number = ${number}::bigint`.execute(database);
  const [sheet] = rows;
  return sheet ?? refuseMissing(database, sessionId);
}

/** Of an archived session every sheet is in its file. */
async function refuseMissing(database: Database, sessionId: string): Promise<never> {
  await requireUnarchived(database, sessionId);
  throw notFound("The count sheet");
}

/**
 * Holds a session as it is until the transaction ends, and only one call at a time: numbers are given in turn, and what is kept of a sheet
 * can be stored. Before any area.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, SESSION_ENDING.
 */
export async function holdSession(transaction: Transaction, sessionId: string): Promise<void> {
  await transaction
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  await readPlace(transaction, sessionId);
}

/**
 * What a sheet is by now, which then can't change until the transaction ends. Whoever holds its session or its area did so before; to whoever
 * holds neither it may have gone into an archive meanwhile.
 * @throws ApiError NOT_FOUND, SESSION_ARCHIVED.
 */
export async function lockSheetState(
  transaction: Database,
  sessionId: string,
  number: number,
): Promise<CountSheet["state"]> {
  const row = await transaction
    .selectFrom("countSheets")
    .select(["returnedAt", "voidedAt"])
    .where("sessionId", "=", sessionId)
    .where("number", "=", number)
    .forUpdate()
    .executeTakeFirst();
  return stateOf(row ?? (await refuseMissing(transaction, sessionId)));
}

function stateOf({ returnedAt, voidedAt }: Pick<SheetRow, "returnedAt" | "voidedAt">): CountSheet["state"] {
  if (voidedAt !== null) return "void";
  return returnedAt === null ? "out" : "returned";
}

export const isVoid = (number: number) =>
  new ApiError(
    "SHEET_OVER",
    `Count sheet ${number} is void. What was counted on it can be keyed from another sheet of its area, on its blank lines.`,
  );

export function presentSheet(row: SheetRow): CountSheet {
  const { number, products, blankLines, keyedRows, keyedUnits, declaredTotal, voidReason } = row;
  return {
    number,
    area: { _id: row.areaId, code: row.areaCode, name: row.areaName, locationName: row.locationName },
    state: stateOf(row),
    order: row.listedBy,
    ...{ products, blankLines },
    printedAt: row.printedAt.toISOString(),
    printedBy: named(row.printedByName),
    returnedAt: row.returnedAt?.toISOString() ?? null,
    returnedBy: named(row.returnedByName),
    countedBy: named(row.countedByName),
    keyed:
      keyedRows === null || keyedUnits === null
        ? null
        : { rows: keyedRows, units: keyedUnits, declaredTotal, isStored: row.storedAt !== null },
    voidedAt: row.voidedAt?.toISOString() ?? null,
    voidedBy: named(row.voidedByName),
    voidReason,
  };
}

function named(username: string | null): { username: string } | null {
  return username === null ? null : { username };
}
