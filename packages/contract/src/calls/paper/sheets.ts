import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import {
  Id,
  IdInput,
  NumberInAddress,
  Quantity,
  ScanQuantity,
  Timestamp,
  TimestampInput,
} from "../../primitives.ts";
import { cell, optionalLine, requiredParagraphs } from "../../text.ts";
import { AreaStatus } from "../areas.ts";

const Person = z.nullable(z.object({ username: z.string() }));

/** In which order a sheet lists its products: as the area was scanned last, or by title and size. */
export const SheetOrder = z.enum(["walk", "title"]);
export type SheetOrder = z.infer<typeof SheetOrder>;

/** `out`: printed, and neither keyed nor void yet. */
export const SheetState = z.enum(["out", "returned", "void"]);
export type SheetState = z.infer<typeof SheetState>;

/** A numbered blind count sheet of an area: nothing in it says how many of anything there are, or should be. */
export const CountSheet = z.object({
  /** From 1 in each session; never given twice. */
  number: z.int(),
  area: z.object({ _id: Id, code: z.string(), name: z.string(), locationName: z.string() }),
  state: SheetState,
  order: SheetOrder,
  /** Lines with a product on them, and blank lines after those. */
  products: z.int(),
  blankLines: z.int(),
  printedAt: Timestamp,
  printedBy: Person,
  returnedAt: z.nullable(Timestamp),
  returnedBy: Person,
  /** Who counted on it. */
  countedBy: Person,
  /** What was keyed from it; null until then. */
  keyed: z.nullable(
    z.object({
      rows: z.int(),
      units: z.int(),
      /** What the counter declared on it; null where nothing was. */
      declaredTotal: z.nullable(z.int()),
      /** False where the storing broke off: returned again, the rest of it is stored. */
      isStored: z.boolean(),
    }),
  ),
  voidedAt: z.nullable(Timestamp),
  voidedBy: Person,
  voidReason: z.nullable(z.string()),
});
export type CountSheet = z.infer<typeof CountSheet>;

/** A line with a product, as it is printed. */
export const SheetLine = z.object({
  /** Its number on the sheet, from 1. */
  line: z.int(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  /** What its label shows: the barcode, or the SKU of a product without one. */
  code: z.string(),
});
export type SheetLine = z.infer<typeof SheetLine>;

const SessionParams = z.object({ id: IdInput });
const SheetParams = z.object({ id: IdInput, number: NumberInAddress });

const KeyedLine = z.object({
  line: z
    .int("A line is a whole number.")
    .check(z.gte(1, "Lines count from 1."), z.lte(limits.sheetProducts)),
  quantity: ScanQuantity,
});
const KeyedCode = z.object({ code: cell("A code", limits.countCell), quantity: ScanQuantity });

/** Absent: nothing was counted there. An empty list is refused, as it may be a mistake of whoever sends it. */
const entries = <Entry extends z.ZodMiniType>(name: string, entry: Entry, most: number) =>
  z.optional(
    z
      .array(entry, `${name} must be a list.`)
      .check(
        z.minLength(1, `${name} has at least one entry, or is left out.`),
        z.maxLength(most, `At most ${most} entries of ${name} can be keyed of a sheet.`),
      ),
  );

/** An entry that was not stored, by its line or its code: what is wrong with it, and what to do about it. Neither: the whole sheet. */
export const BadEntry = z.object({
  line: z.nullable(z.int()),
  code: z.nullable(z.string()),
  problem: z.string(),
});
export type BadEntry = z.infer<typeof BadEntry>;

export const printSheets = defineCall({
  method: "POST",
  path: "/api/session/:id/sheets",
  access: "admin",
  summary:
    "Make numbered blind count sheets of areas, to be printed; an area with many products gets several",
  status: 201,
  params: SessionParams,
  body: z.object({
    areaIds: z
      .array(IdInput, "areaIds must be a list.")
      .check(
        z.minLength(1, "Choose at least one area."),
        z.maxLength(limits.sheetAreas, `Sheets of at most ${limits.sheetAreas} areas can be made at a time.`),
      ),
    order: SheetOrder,
    /** Pages of blank lines after the last product, besides the few lines that are always there. */
    blankPages: z._default(
      z
        .int("Enter a whole number of pages.")
        .check(
          z.gte(0, "The number of pages can't be below 0."),
          z.lte(limits.sheetBlankPages, `At most ${limits.sheetBlankPages} pages can be added.`),
        ),
      0,
    ),
  }),
  answer: z.object({ sheets: z.array(CountSheet) }),
  refusals: ["SESSION_CLOSED", "SESSION_ENDING"],
  events: ["area"],
});

export const listSheets = defineCall({
  method: "GET",
  path: "/api/session/:id/sheets",
  access: "admin",
  summary: "The count sheets of a session in the order of their numbers, void ones too",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({ sheets: z.array(CountSheet), ...pageAnswer }),
});

export const readSheet = defineCall({
  method: "GET",
  path: "/api/session/:id/sheets/:number",
  access: "admin",
  summary: "A count sheet as it is printed, and what was keyed from it",
  params: SheetParams,
  answer: z.object({
    sheet: CountSheet,
    lines: z.array(SheetLine),
    /** Of the sheet's area as it is now. */
    areaStatus: AreaStatus,
    /** The area was begun anew since the sheet was printed. */
    isAreaRestarted: z.boolean(),
    /** What was keyed, of a sheet that is returned. */
    entries: z.nullable(
      z.object({
        countedAt: z.nullable(Timestamp),
        lines: z.array(KeyedLine),
        others: z.array(KeyedCode),
      }),
    ),
  }),
});

export const returnSheet = defineCall({
  method: "POST",
  path: "/api/session/:id/sheets/:number/return",
  access: "admin",
  summary:
    "Store what was counted on a sheet as scans of who counted, all of it or nothing, once: a sheet that is returned stays as it was keyed first",
  params: SheetParams,
  body: z.object({
    /** Who counted: a name or an e-mail address; blank for whoever keys it. */
    who: optionalLine("Counted by", limits.countCell),
    /** The time on it, shown with its scans; absent where none is. Nothing is concluded from it: it is no line's own. */
    at: z.optional(TimestampInput),
    declaredTotal: z.optional(z.nullable(Quantity)),
    /** Of lines with a product: how many the counter wrote into the box. */
    lines: entries("lines", KeyedLine, limits.sheetProducts),
    /** What the counter wrote on blank lines. */
    others: entries("others", KeyedCode, limits.sheetEntries),
  }),
  answer: z.object({
    sheet: CountSheet,
    /** The sheet was returned before: what this call brought was not looked at. */
    isRepeat: z.boolean(),
    /** What can't be stored. Of a sheet that is still out, nothing was. */
    bad: z.array(BadEntry),
    counted: z.object({ rows: z.int(), units: z.int() }),
    unresolved: z.int(),
    /** The area was closed or restarted in the very moment: they wait for the administrator. */
    late: z.int(),
  }),
  refusals: ["SHEET_OVER", "SESSION_CLOSED", "SESSION_ENDING", "OVERLOADED"],
  events: ["scan", "area"],
});

export const voidSheet = defineCall({
  method: "POST",
  path: "/api/session/:id/sheets/:number/void",
  access: "admin",
  summary: "Declare a sheet that is out void: lost, spoilt or not needed. Nothing that was counted changes",
  params: SheetParams,
  body: z.object({ reason: requiredParagraphs("Reason", limits.reason) }),
  answer: z.object({ sheet: CountSheet }),
  refusals: ["SHEET_OVER"],
  events: ["area"],
});

export const lookUpCode = defineCall({
  method: "GET",
  path: "/api/session/:id/product",
  access: "admin",
  summary: "Which product of a session's catalogue a code means, and how many units one of it counts",
  params: SessionParams,
  query: z.object({ code: cell("A code", limits.countCell) }),
  answer: z.object({
    match: z.enum(["one", "several", "none"]),
    product: z.nullable(z.object({ productTitle: z.string(), size: z.nullable(z.string()) })),
    /** More than one where the code is a pack's. */
    units: z.int(),
    /** Why it can't be counted as it is written; a sentence. */
    problem: z.nullable(z.string()),
  }),
  refusals: ["SESSION_CLOSED", "SESSION_ENDING"],
});
