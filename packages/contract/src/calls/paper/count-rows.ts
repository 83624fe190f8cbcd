import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { IdInput, TimestampInput } from "../../primitives.ts";
import { cell, requiredName } from "../../text.ts";

const Cell = cell("A cell", limits.countCell);
const RowNumber = z.int("A row's number must be a whole number.").check(z.gte(1, "Rows count from 1."));

/** A row of a file of counts. Two rows are the same count when every cell of them and their `copy` are the same. */
export const CountRow = z.object({
  /** Its line in the file, for people. */
  row: RowNumber,
  area: Cell,
  /** The name of the area's location, where the store has the code several times. */
  location: z.optional(Cell),
  code: Cell,
  quantity: Cell,
  /** Who counted: a name or an e-mail address; blank for whoever loads the file. */
  who: z.optional(Cell),
  /** When it was counted, as it is in the file; blank where nobody knows. Kept and shown: no figure goes by it. */
  when: z.optional(Cell),
  /** What `when` means in the time zone of whoever loads the file; absent where it could not be read. */
  at: z.optional(TimestampInput),
  /** Which of several equal rows of the file it is, from 1. */
  copy: z._default(RowNumber, 1),
});
export type CountRow = z.input<typeof CountRow>;

/** A row that was not stored: what is wrong with it, and what to do about it. */
export const BadRow = z.object({ row: z.int(), problem: z.string() });
export type BadRow = z.infer<typeof BadRow>;

const params = z.object({ id: IdInput });
const body = z.object({
  /** The file's name, for the audit log. */
  file: requiredName("The file's name"),
  rows: z
    .array(CountRow, "rows must be a list.")
    .check(
      z.minLength(1, "At least one row is required."),
      z.maxLength(limits.countRowsPerCall, `At most ${limits.countRowsPerCall} rows can be sent at a time.`),
    ),
  /**
   * Whether new rows are counted too that look like a row that is here already. False: they are left out, and told as `alike`. Absent, of an
   * app that doesn't know of them: they are left out and named among the bad ones.
   */
  countAlike: z.optional(z.boolean("countAlike must be true or false.")),
  /** Of the answer to the check: what whoever sends the file has stored since is of this file, and nothing looks like it. */
  asOf: z.optional(z.int("asOf must be a whole number.").check(z.gte(0, "asOf can't be below 0."))),
});

const Units = z.object({ rows: z.int(), units: z.int() });

/**
 * What rows that are here already have come to; `voided` of them are in no total any more. The rest is what they are now, by which whoever
 * sends a part once more, as its answer was lost, tells what that part stored. Servers of before 2026-11-27 don't say it.
 */
const Known = z.object({
  ...{ rows: z.int(), voided: z.int() },
  ...{ counted: z.optional(Units), unresolved: z.optional(z.int()), late: z.optional(z.int()) },
});

/**
 * New rows of the same area, code, quantity, person and minute as one that is here already from a file, though their cells are not the
 * same: of a file that a spreadsheet saved again, or whose locations were added. Some of their numbers.
 */
const Alike = z.object({ rows: z.int(), units: z.int(), examples: z.array(z.int()) });

export const checkCountRows = defineCall({
  method: "POST",
  path: "/api/session/:id/count-rows/check",
  access: "admin",
  summary: "What rows of a file of counts would come to; nothing is stored",
  params,
  body,
  answer: z.object({
    bad: z.array(BadRow),
    known: Known,
    /** New rows whose code fits one product, and their units. */
    counted: Units,
    /** New rows whose code fits no product, or several: they wait for the administrator. Some of the codes. */
    unresolved: z.object({ rows: z.int(), codes: z.array(z.string()) }),
    /** In none of the figures above. Absent from an older server, which counts them. */
    alike: z.optional(Alike),
    /** What was stored when it was checked, for the call that stores the rows. */
    asOf: z.optional(z.int()),
  }),
  refusals: ["SESSION_CLOSED", "SESSION_ENDING"],
  events: [],
});

export const storeCountRows = defineCall({
  method: "POST",
  path: "/api/session/:id/count-rows",
  access: "admin",
  summary: "Store rows of a file of counts as scans, each once; bad rows are left out and named",
  params,
  body,
  answer: z.object({
    bad: z.array(BadRow),
    known: Known,
    counted: Units,
    unresolved: z.int(),
    /** Left out. Absent from an older server. */
    alike: z.optional(Alike),
    /** Their area was closed or restarted in the very moment: they wait for the administrator. */
    late: z.int(),
  }),
  refusals: ["SESSION_CLOSED", "SESSION_ENDING", "OVERLOADED"],
  events: ["scan", "area"],
});
