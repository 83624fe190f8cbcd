import type { BadEntry, CallAnswer, CallRequest, returnSheet } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, areaName, recordAudit, sessionSubject } from "../../audit/audit.ts";
import type { SheetEntries } from "../../database/tables.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { quantityText } from "../../kernel/formats.ts";
import { roomOnPaper, type ScanIntake, type ScanningServices } from "../../scanning/scanning.ts";
import { personCalled } from "../count-rows/interpret-rows.ts";
import { readPeopleByName, readPlace } from "../count-rows/place-queries.ts";
import { storeAll } from "../store-scans.ts";
import {
  findSheet,
  holdSession,
  isVoid,
  lockSheetState,
  presentSheet,
  type WholeSheet,
} from "./sheet-queries.ts";
import { interpretEntries, scansOf } from "./sheet-scans.ts";

type Answer = CallAnswer<typeof returnSheet>;
type Request = CallRequest<typeof returnSheet>["body"];

interface Named {
  readonly id: string;
  readonly number: number;
}

/**
 * Takes a sheet back with what was counted on it: all of it or nothing, and once. What was keyed is kept with the sheet before any of it is
 * stored, so that an interrupted storing ends as it began, whatever is sent the next time.
 * @throws ApiError NOT_FOUND, SESSION_ARCHIVED, SHEET_OVER, SESSION_CLOSED, SESSION_ENDING, OVERLOADED.
 */
export async function takeBack(
  context: ScanningServices,
  intake: ScanIntake,
  caller: AdminCaller,
  named: Named,
  request: Request,
): Promise<Answer> {
  const { database, events } = context;
  const sheet = await findSheet(database, named.id, named.number);
  if (sheet.voidedAt !== null) throw isVoid(sheet.number);
  const kept = sheet.returnedAt === null ? await keep(context, caller, sheet, request) : "returned";
  if (typeof kept !== "string") return { ...nothingStored(sheet), bad: [...kept] };
  const stored = await storeKept(context, intake, caller, named);
  events.publish({ type: "area", sessionId: sheet.sessionId, storeId: sheet.storeId });
  return { ...stored, isRepeat: kept === "returned" };
}

function nothingStored(sheet: WholeSheet): Answer {
  const nothing = { counted: { rows: 0, units: 0 }, unresolved: 0, late: 0 };
  return { sheet: presentSheet(sheet), isRepeat: false, bad: [], ...nothing };
}

/** Keeps what was keyed; what is wrong with it where that can't be stored, and `returned` where somebody else was first. */
async function keep(
  context: ScanningServices,
  caller: AdminCaller,
  sheet: WholeSheet,
  { who, at, declaredTotal = null, lines = [], others = [] }: Request,
): Promise<"kept" | "returned" | readonly BadEntry[]> {
  const { database } = context;
  const session = await readPlace(database, sheet.sessionId);
  const interpreted = await interpretEntries(context, session, sheet, { lines, others });
  const person = personCalled(await readPeopleByName(database, sheet.sessionId), caller, who ?? "");
  const noRoom =
    interpreted.undecided === 0
      ? null
      : roomProblem(interpreted.undecided, await roomOnPaper(database, sheet.sessionId, caller.userId));
  const ofSheet = [areaProblem(sheet), typeof person === "string" ? person : null, noRoom].flatMap(
    (problem) => (problem === null ? [] : ofWholeSheet(problem)),
  );
  const bad = [...ofSheet, ...interpreted.bad];
  if (typeof person === "string" || bad.length > 0) return bad;
  const counted = { by: person.id, at: at === undefined ? null : new Date(at), declaredTotal };
  return keepEntries(context, caller, sheet, { ...interpreted, ...counted, entries: { lines, others } });
}

const ofWholeSheet = (problem: string): BadEntry => ({ line: null, code: null, problem });

/** A sheet is not kept before all of it can be stored. */
function roomProblem(undecided: number, room: number): string | null {
  return undecided <= room
    ? null
    : `Codes of this sheet that fit no product or several: ${quantityText(undecided)}. Under Scans to Decide there is room for ${quantityText(room)} more. Decide about scans there first, or correct the codes; what you have keyed is kept here meanwhile.`;
}

const areaIsClosed = (code: string) =>
  `Area ${code} is closed. Reopen it to count what is on this sheet in it; what you have keyed is kept here meanwhile.`;
const areaIsMerged = (code: string) =>
  `Area ${code} was just merged into another one. Save the sheet again: it is counted there.`;
const areaIsGone = (code: string) =>
  `Area ${code} was deleted. Declare this sheet void, and key it from a sheet of another area.`;

function areaProblem({ present }: WholeSheet): string | null {
  if (present.isDeleted) return areaIsGone(present.code);
  return present.status === "closed" ? areaIsClosed(present.code) : null;
}

interface Keyed {
  readonly by: string;
  readonly at: Date | null;
  readonly declaredTotal: number | null;
  readonly entries: SheetEntries;
  readonly rows: number;
  readonly units: number;
}

async function keepEntries(
  { database }: Pick<ScanningServices, "database">,
  caller: AdminCaller,
  sheet: WholeSheet,
  { by, at, declaredTotal, entries, rows, units }: Keyed,
): Promise<"kept" | "returned" | readonly BadEntry[]> {
  const { sessionId, number, areaCode, areaName: name } = sheet;
  return database.transaction().execute(async (transaction) => {
    await holdSession(transaction, sessionId);
    const area = await transaction
      .selectFrom("areas")
      .select(["status", "pass", "deletedAt", "mergedInto"])
      .where("id", "=", sheet.present.id)
      .forKeyShare()
      .executeTakeFirstOrThrow();
    const state = await lockSheetState(transaction, sessionId, number);
    if (state === "void") throw isVoid(number);
    if (state === "returned") return "returned";
    const { code } = sheet.present;
    if (area.mergedInto !== null) return [ofWholeSheet(areaIsMerged(code))];
    if (area.deletedAt !== null) return [ofWholeSheet(areaIsGone(code))];
    if (area.status === "closed") return [ofWholeSheet(areaIsClosed(code))];
    await transaction
      .updateTable("countSheets")
      .set({
        ...{ returnedBy: caller.userId, returnedAt: sql<Date>`now()`, countedBy: by, countedAt: at },
        ...{ entries: JSON.stringify(entries), countedPass: area.pass },
        ...{ keyedRows: rows, keyedUnits: units, declaredTotal },
      })
      .where("sessionId", "=", sessionId)
      .where("number", "=", number)
      .execute();
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "sheet.returned",
      subject: await sessionSubject(transaction, sessionId),
      before: null,
      after: {
        ...{ sheet: number, area: areaName({ code: areaCode, name }), countedBy: by },
        ...{ rows, units, declaredTotal },
      },
    });
    return "kept";
  });
}

/** Stores what is kept of a sheet that was keyed, as far as it is not stored yet. */
async function storeKept(
  context: ScanningServices,
  intake: ScanIntake,
  caller: AdminCaller,
  { id, number }: Named,
): Promise<Answer> {
  const { database } = context;
  const sheet = await findSheet(database, id, number);
  if (sheet.storedAt !== null) return nothingStored(sheet);
  const { stored, refused } = await storeAll(intake, await scansOf(context, caller, sheet));
  if (refused.length === 0) {
    await database
      .updateTable("countSheets")
      .set({ storedAt: sql<Date>`now()` })
      .where("sessionId", "=", id)
      .where("number", "=", number)
      .execute();
  }
  const fresh = stored.filter(({ answer }) => !answer.duplicate);
  const having = (status: string) => fresh.filter(({ answer }) => answer.status === status);
  const counted = having("counted");
  return {
    ...nothingStored(await findSheet(database, id, number)),
    bad: refused.map(({ scan: { line, code }, problem }) => ({ line, code, problem })),
    counted: {
      rows: counted.length,
      units: counted.reduce((sum, { answer }) => sum + (answer.scan.quantity ?? 1), 0),
    },
    unresolved: having("unresolved").length,
    late: having("late").length,
  };
}
