import {
  type BadEntry,
  limits,
  matchProduct,
  matchWithPacks,
  ScannedCode,
  scannedCode,
  sheetDevice,
} from "@stocktake/contract";
import { findPacks } from "../../catalogue/catalogue.ts";
import type { SheetEntries } from "../../database/tables.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { IncomingScan, ScanningServices } from "../../scanning/scanning.ts";
import { codeProblem } from "../count-rows/interpret-rows.ts";
import { createKeys } from "../count-rows/row-keys.ts";
import { tagOfSeveral, tooManyUnits } from "../count-rows/row-problems.ts";
import type { PaperScan } from "../store-scans.ts";
import type { WholeSheet } from "./sheet-queries.ts";

/** What an entry of a sheet names: a line with a product, or a code that somebody wrote. */
interface Entry {
  readonly line: number | null;
  readonly code: string | null;
  readonly input: string;
  readonly inputType: "sku" | "barcode";
  readonly quantity: number;
}

/** The entries of a sheet in the order of its scans. A line that the sheet doesn't have is left out. */
function entriesOf({ lines: printed }: Pick<WholeSheet, "lines">, { lines, others }: SheetEntries): Entry[] {
  const ofLines = lines.flatMap(({ line, quantity }) => {
    const product = printed[line - 1];
    return product === undefined
      ? []
      : { line, code: null, input: product.sku, inputType: "sku" as const, quantity };
  });
  const ofCodes = others.map(({ code, quantity }) => {
    return { line: null, code, input: scannedCode(code), inputType: "barcode" as const, quantity };
  });
  return [...ofLines, ...ofCodes];
}

interface InterpretedEntries {
  readonly bad: readonly BadEntry[];
  readonly rows: number;
  readonly units: number;
  /** Entries of no product, or of several: they wait for a decision. */
  readonly undecided: number;
}

/** What can't be stored of what was keyed, and what all of it comes to. */
export async function interpretEntries(
  { database, catalogue }: Pick<ScanningServices, "database" | "catalogue">,
  session: { readonly sessionId: string; readonly catalogueVersion: number },
  sheet: WholeSheet,
  given: SheetEntries,
): Promise<InterpretedEntries> {
  const { index } = await catalogue.sessionIndex(session.sessionId, session.catalogueVersion);
  const codes = given.others.flatMap(({ code }) => ScannedCode.safeParse(code).data ?? []);
  const packs = await findPacks(database, codes);
  const interpreted = entriesOf(sheet, given).map(({ line, code, input, inputType, quantity }) => {
    const found =
      code === null
        ? { match: matchProduct(index, input, inputType), pack: null, tag: null }
        : matchWithPacks(index, packs, input);
    const units = quantity * (found.pack?.units ?? 1);
    const tooMany = units > limits.scanQuantity ? tooManyUnits(units) : null;
    const notOne = found.tag !== null && quantity !== 1 ? tagOfSeveral : null;
    const problem = (code === null ? null : codeProblem(code)) ?? tooMany ?? notOne;
    return { line, code, units, problem, isKnown: found.match.kind === "one" };
  });
  const notThere = given.lines.filter(({ line }) => line > sheet.lines.length);
  return {
    bad: [
      ...notThere.map(({ line }) => ({ line, code: null, problem: noSuchLine(sheet.lines.length) })),
      ...interpreted.flatMap(({ line, code, problem }) => (problem === null ? [] : { line, code, problem })),
    ],
    rows: interpreted.length,
    units: interpreted.reduce((sum, { units }) => sum + units, 0),
    undecided: interpreted.filter(({ isKnown }) => !isKnown).length,
  };
}

const noSuchLine = (last: number) =>
  last === 0
    ? "This sheet has no lines with products. Key its code and quantity."
    : `The last line with a product on this sheet is ${last}. Key its code and quantity.`;

/** A scan of a sheet, and the entry that it is of. */
export interface SheetScan extends PaperScan {
  readonly line: number | null;
  readonly code: string | null;
}

/**
 * The scans of a sheet that was keyed, of what is stored of it alone: the same ones whoever asks, and however often. In the pass that the
 * area had when it was keyed, so that what is stored later is late like a device's. Their times count as unknown: a sheet has the time of
 * its end at best, and with that a sale after a line was counted would make a variance that looks certain.
 */
export async function scansOf(
  { database }: Pick<ScanningServices, "database">,
  caller: Caller,
  sheet: WholeSheet,
): Promise<SheetScan[]> {
  const { sessionId, storeId, number, present, entries, countedBy, countedAt, countedPass } = sheet;
  if (entries === null || countedBy === null) return [];
  const keysOf = await createKeys(database);
  return entriesOf(sheet, entries).map(({ line, code, input, inputType, quantity }, index) => {
    const keys = keysOf("count-sheet", `${sessionId}:${number}:${index}`);
    const seq = index + 1;
    const incoming: IncomingScan = {
      ...{ sessionId, storeId, locationId: present.locationId, areaCode: present.code },
      ...{ input, inputType, method: "manual", quantity },
      ...{ deviceId: sheetDevice(number), seq, highestSeq: seq, opId: keys.opId },
      ...{ replacesOpId: null, replacesSeq: null },
      sentPass: countedPass,
      scannedAtMs: countedAt?.getTime() ?? null,
      isTimeUnknown: true,
      ...{ scannedById: countedBy, sentBy: caller },
    };
    return { line, code, keys, incoming };
  });
}
