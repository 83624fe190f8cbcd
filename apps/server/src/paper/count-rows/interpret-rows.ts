import {
  type BadRow,
  fileDevice,
  limits,
  type Match,
  matchWithPacks,
  ScannedCode,
  scanInputProblem,
  scannedCode,
  visibleCode,
} from "@stocktake/contract";
import { findPacks, type SessionProduct } from "../../catalogue/catalogue.ts";
import type { Caller } from "../../kernel/caller.ts";
import { nameKey } from "../../kernel/formats.ts";
import { inSlices } from "../../kernel/slices.ts";
import type { IncomingScan, ScanningServices } from "../../scanning/scanning.ts";
import { findAlike } from "./alike-rows.ts";
import {
  type CountedArea,
  type CountingPlace,
  haveOneAddress,
  type Person,
  readAreasByCode,
  readPeopleByName,
  readPlace,
  readStored,
  type StoredRow,
} from "./place-queries.ts";
import { createRowKeys, type RowKeys, type RowOfFile } from "./row-keys.ts";
import * as problems from "./row-problems.ts";

/** A new row that can be stored. */
export interface GoodRow {
  readonly row: number;
  readonly keys: RowKeys;
  readonly incoming: IncomingScan;
  readonly match: Match<SessionProduct>["kind"];
  /** As many as it counts, where its code is a pack's too. */
  readonly units: number;
  readonly areaId: string;
  readonly copy: number;
}

/** Rows of a file, and what whoever sends them wants of those that look like one that is here already; see the contract. */
export interface SentRows {
  readonly rows: readonly RowOfFile[];
  readonly countAlike?: boolean | undefined;
  readonly asOf?: number | undefined;
}

export interface InterpretedRows {
  readonly place: CountingPlace;
  readonly bad: readonly BadRow[];
  /** What is stored of the rows that are here already. */
  readonly known: readonly StoredRow[];
  readonly good: readonly GoodRow[];
  /** Rows that could be stored, and are left out. */
  readonly alike: readonly GoodRow[];
}

type Product = ReturnType<typeof matchWithPacks<SessionProduct>> | { readonly problem: string };

/** What cells mean in a session. Most rows of a file have the area, the person and the code of another. */
interface Meanings {
  readonly place: CountingPlace;
  /** The problem, a sentence, where it is none to count in. */
  readonly area: (area: string, location: string) => CountedArea | string;
  readonly person: (who: string) => Pick<Person, "id"> | string;
  readonly product: (code: string) => Product;
}

/** As many as are interpreted in a millisecond or two. */
const interpretedAtOnce = 200;

/**
 * Says of each row of a file whether it is here already, can be stored, or what is wrong with it. Stores nothing.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, SESSION_ENDING.
 */
export async function interpretRows(
  context: Pick<ScanningServices, "database" | "catalogue">,
  caller: Caller,
  sessionId: string,
  { rows, countAlike, asOf }: SentRows,
): Promise<InterpretedRows> {
  const { database } = context;
  const place = await readPlace(database, sessionId);
  const keysOf = await createRowKeys(database, sessionId);
  const keyed = await inSlices(rows, interpretedAtOnce, (row) => ({ row, keys: keysOf(row) }));
  const stored = await readStored(
    database,
    sessionId,
    keyed.map(({ keys }) => keys.opId),
  );
  const fresh = keyed.filter(({ keys }) => !stored.has(keys.opId));
  const meanings = await readMeanings(context, caller, place, rows);
  const interpreted = await inSlices(fresh, interpretedAtOnce, ({ row, keys }) =>
    interpretRow(meanings, caller, row, keys),
  );
  const good = interpreted.filter((row): row is GoodRow => "incoming" in row);
  const opIds = keyed.map(({ keys }) => keys.opId);
  const like =
    countAlike === true
      ? new Set()
      : await findAlike(database, caller, { sessionId, opIds, good, asOf: asOf ?? null });
  const alike = good.filter((row) => like.has(row));
  const unasked = countAlike === undefined ? alike : [];
  return {
    place,
    bad: [
      ...interpreted.filter((row): row is BadRow => "problem" in row),
      ...unasked.map(({ row }) => ({ row, problem: problems.looksLikeAnother })),
    ],
    known: keyed.flatMap(({ keys }) => stored.get(keys.opId) ?? []),
    good: good.filter((row) => !like.has(row)),
    alike,
  };
}

async function readMeanings(
  { database, catalogue }: Pick<ScanningServices, "database" | "catalogue">,
  caller: Caller,
  place: CountingPlace,
  rows: readonly RowOfFile[],
): Promise<Meanings> {
  const { sessionId, storeId, catalogueVersion } = place;
  const codes = [...new Set(rows.map(({ code }) => code))].flatMap(
    (code) => ScannedCode.safeParse(code).data ?? [],
  );
  const [{ index }, packs, areas, people] = await Promise.all([
    catalogue.sessionIndex(sessionId, catalogueVersion),
    findPacks(database, codes),
    readAreasByCode(database, storeId),
    readPeopleByName(database, sessionId),
  ]);
  const areaOf = remembering((name: string) => {
    const [area = "", location = ""] = name.split("\n");
    return areaCalled(areas, area, location);
  });
  return {
    place,
    area: (area, location) => areaOf(`${area.replaceAll("\n", " ")}\n${location.replaceAll("\n", " ")}`),
    person: remembering((who) => personCalled(people, caller, who)),
    product: remembering((code) => {
      const problem = codeProblem(code);
      return problem === null ? matchWithPacks(index, packs, code) : { problem };
    }),
  };
}

function remembering<Value>(work: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? work(text);
    known.set(text, value);
    return value;
  };
}

function interpretRow(meanings: Meanings, caller: Caller, row: RowOfFile, keys: RowKeys): GoodRow | BadRow {
  const bad = (problem: string) => ({ row: row.row, problem });
  const area = meanings.area(row.area, row.location ?? "");
  if (typeof area === "string") return bad(area);
  const found = meanings.product(row.code);
  if ("problem" in found) return bad(found.problem);
  const quantity = quantityOf(row.quantity);
  if (quantity === null) return bad(problems.badQuantity(row.quantity));
  const units = quantity * (found.pack?.units ?? 1);
  if (units > limits.scanQuantity) return bad(problems.tooManyUnits(units));
  if (found.tag !== null && quantity !== 1) return bad(problems.tagOfSeveral);
  const person = meanings.person(row.who ?? "");
  if (typeof person === "string") return bad(person);
  const time = timeOf(row);
  if (time === undefined) return bad(problems.badTime(row.when ?? ""));
  const { sessionId, storeId } = meanings.place;
  const incoming = {
    sessionId,
    storeId,
    locationId: area.locationId,
    areaCode: area.code,
    input: scannedCode(row.code),
    inputType: "barcode",
    method: "manual",
    quantity,
    deviceId: fileDevice,
    seq: keys.seq,
    highestSeq: keys.seq,
    replacesOpId: null,
    replacesSeq: null,
    opId: keys.opId,
    sentPass: null,
    scannedAtMs: time,
    // Its clock was never compared with ours, as a device's is: ten minutes fast, it would put a sale after the count.
    isTimeUnknown: true,
    scannedById: person.id,
    sentBy: caller,
  } as const satisfies IncomingScan;
  return { row: row.row, keys, incoming, match: found.match.kind, units, areaId: area.id, copy: row.copy };
}

function areaCalled(
  areas: ReadonlyMap<string, readonly CountedArea[]>,
  area: string,
  location: string,
): CountedArea | string {
  const name = visibleCode(area);
  if (name === "") return problems.noArea;
  const ofCode = areas.get(name.toLowerCase()) ?? [];
  if (ofCode.length === 0) return problems.unknownArea(name);
  const place = nameKey(location);
  const found = place === "" ? ofCode : ofCode.filter(({ locationName }) => nameKey(locationName) === place);
  const [first, ...others] = found;
  if (first === undefined) return problems.notInLocation(name, location.trim());
  if (others.length > 0) return problems.areaOfSeveral(name, place === "");
  return first.status === "closed" ? problems.closedArea(first.code) : first;
}

/** Why a code can't be counted as it is written; null where it can. */
export function codeProblem(cell: string): string | null {
  const { data, error } = ScannedCode.safeParse(cell);
  if (data === undefined) return problems.badCode(error?.issues[0]?.message ?? "");
  const problem = scanInputProblem(data, "barcode");
  return problem === null ? null : problems.badCode(problem);
}

function quantityOf(cell: string): number | null {
  const digits = cell.trim();
  if (!/^\d{1,9}$/.test(digits)) return null;
  const quantity = Number(digits);
  return quantity >= 1 && quantity <= limits.scanQuantity ? quantity : null;
}

/** Who is meant, or why nobody is: a sentence. Blank is whoever sends. */
export function personCalled(
  people: ReadonlyMap<string, readonly Person[]>,
  caller: Caller,
  who: string,
): { readonly id: string } | string {
  const name = nameKey(who);
  if (name === "") return { id: caller.userId };
  const called = people.get(name) ?? [];
  const [person, ...others] = called;
  if (person === undefined) return problems.unknownPerson(who.trim());
  if (others.length === 0) return person;
  if (haveOneAddress(called)) return problems.severalOfAddress(who.trim());
  const haveAddresses = called.every(({ email }) => email !== null);
  return problems.severalPeople(who.trim(), haveAddresses);
}

/** Null where no time is given; undefined where one is that can't be read. */
function timeOf({ when = "", at }: RowOfFile): number | null | undefined {
  if (when.trim() === "") return null;
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? undefined : time;
}
