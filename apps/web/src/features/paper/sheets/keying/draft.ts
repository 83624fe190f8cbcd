import { type BadEntry, type CallInput, limits, type returnSheet } from "@stocktake/contract";
import * as z from "zod/mini";

const Draft = z.object({
  who: z.string(),
  /** As the browser's field for a time has it. */
  at: z.string(),
  declared: z.string(),
  /** What was typed into the boxes, by line. */
  boxes: z.record(z.string(), z.string()),
  others: z.array(z.object({ code: z.string(), quantity: z.string() })),
});

/** What is being keyed of a sheet, as it was typed. */
export type SheetDraft = z.infer<typeof Draft>;

const emptyDraft: SheetDraft = { who: "", at: "", declared: "", boxes: {}, others: [] };

const keyOf = (sessionId: string, number: number) => `countSheet ${sessionId} ${number}`;

/** What was keyed in this browser and not saved yet. */
export function readDraft(sessionId: string, number: number): SheetDraft {
  try {
    return (
      Draft.safeParse(JSON.parse(localStorage.getItem(keyOf(sessionId, number)) ?? "")).data ?? emptyDraft
    );
  } catch {
    // Nothing is kept, or what is kept is none of ours.
    return emptyDraft;
  }
}

export function keepDraft(sessionId: string, number: number, draft: SheetDraft): void {
  if (draft === emptyDraft) return;
  try {
    localStorage.setItem(keyOf(sessionId, number), JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing keeps it as long as the page is open.
  }
}

export function forgetDraft(sessionId: string, number: number): void {
  try {
    localStorage.removeItem(keyOf(sessionId, number));
  } catch {
    // As above.
  }
}

/** The number in a box; null for an empty one, undefined for what is no number of units. Nothing there is 0. */
export function unitsIn(typed: string, most: number = limits.scanQuantity): number | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  return /^\d{1,7}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

/** The total that the counter declared, as `unitsIn` reads it. */
export const declaredIn = (typed: string) => unitsIn(typed, limits.quantity);

interface Counted {
  readonly rows: number;
  readonly units: number;
  /** Boxes and a declared total with something else in them, and codes without a quantity. */
  readonly wrong: number;
}

/** The running total. `unitsOf`: how many one of a code counts. */
export function totalOf({ boxes, others, declared }: SheetDraft, unitsOf: (code: string) => number): Counted {
  const counts = [
    ...Object.values(boxes).map((typed) => ({ count: unitsIn(typed), each: 1 })),
    ...others
      .filter((other) => other.code.trim() !== "" || other.quantity.trim() !== "")
      .map(({ code, quantity }) => ({
        count: code.trim() === "" ? undefined : (unitsIn(quantity) ?? undefined),
        each: unitsOf(code.trim()),
      })),
  ];
  const found = counts.flatMap(({ count, each }) =>
    count === null || count === undefined ? [] : count * each,
  );
  return {
    rows: found.filter((units) => units > 0).length,
    units: found.reduce((sum, units) => sum + units, 0),
    wrong: [...counts.map(({ count }) => count), declaredIn(declared)].filter((count) => count === undefined)
      .length,
  };
}

type Returned = CallInput<typeof returnSheet>["body"];

/** What is sent: boxes with nothing or 0 in them count nothing. */
export function returnOf({ who, at, declared, boxes, others }: SheetDraft): Returned {
  const lines = Object.entries(boxes).flatMap(([line, typed]) => {
    const quantity = unitsIn(typed) ?? 0;
    return quantity === 0 ? [] : { line: Number(line), quantity };
  });
  const time = at === "" ? null : new Date(at);
  return {
    who,
    ...(time === null || Number.isNaN(time.getTime()) ? {} : { at: time.toISOString() }),
    declaredTotal: declaredIn(declared) ?? null,
    ...entriesOf({
      lines: lines.toSorted((one, other) => one.line - other.line),
      others: others.flatMap(({ code, quantity }) => {
        const units = unitsIn(quantity) ?? 0;
        return code.trim() === "" || units === 0 ? [] : { code: code.trim(), quantity: units };
      }),
    }),
  };
}

type Entries = { [Name in "lines" | "others"]-?: NonNullable<Returned[Name]> };

/** As a call takes them: a list without anything is left out. */
export function entriesOf({ lines, others }: Entries): Pick<Returned, "lines" | "others"> {
  return { ...(lines.length === 0 ? {} : { lines }), ...(others.length === 0 ? {} : { others }) };
}

/** With another text in the box of a line. */
export function withBox(draft: SheetDraft, line: number, typed: string): SheetDraft {
  return { ...draft, boxes: { ...draft.boxes, [line]: typed } };
}

type Other = SheetDraft["others"][number];

/** With another text on a blank line; one that is empty again is left out where it is the last. */
export function withOther(draft: SheetDraft, at: number, change: Partial<Other>): SheetDraft {
  const others = [...draft.others];
  others[at] = { ...(others[at] ?? { code: "", quantity: "" }), ...change };
  while (others.at(-1)?.code === "" && others.at(-1)?.quantity === "") others.pop();
  return { ...draft, others };
}

/** Where on the sheet something can't be stored. */
export function entryLabel({ line, code }: BadEntry): string {
  if (line !== null) return `Line ${line}: `;
  return code === null ? "" : `${code.trim()}: `;
}
