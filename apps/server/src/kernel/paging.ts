import { limits, naturalOrder } from "@stocktake/contract";
import * as z from "zod/mini";
import { invalidField } from "./api-error.ts";
import { jsonOrUndefined } from "./json.ts";

/** Which page of a list is asked for; without anything the first one, as long as a page can be. */
export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** A page of a list. `next` is the cursor of the page after it, `total` how many entries the whole list has. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: string | null;
  readonly total: number;
}

/** A place in a list's order, which a cursor names: it remains where it is while entries come and go. */
type PositionSchema<Position> = z.ZodMiniType<Position>;

/** A list that is read from the database page by page. */
interface StoredList<Row, Position> {
  readonly position: PositionSchema<Position>;
  readonly positionOf: (row: Row) => Position;
  /** Up to `count` rows after the position, or from the list's beginning. */
  readonly read: (after: Position | null, count: number) => Promise<Row[]>;
  readonly count: () => Promise<number>;
}

export function pageSize({ limit = limits.itemsPerPage }: PageRequest): number {
  return limit;
}

/** A page of a list that may be longer than memory is large. Throws VALIDATION for a cursor of nothing. */
export async function readPage<Row, Position>(
  request: PageRequest,
  list: StoredList<Row, Position>,
): Promise<Page<Row>> {
  const after = readCursor(request, list.position);
  const size = pageSize(request);
  const rows = await list.read(after, size + 1);
  const items = rows.slice(0, size);
  const last = items.at(-1);
  const next = rows.length > size && last !== undefined ? writeCursor(list.positionOf(last)) : null;
  const isWhole = after === null && next === null;
  return { items, next, total: isWhole ? items.length : await list.count() };
}

/** The position that the request's cursor names; null where it has none. Throws VALIDATION. */
export function readCursor<Position>(
  { cursor }: PageRequest,
  schema: PositionSchema<Position>,
): Position | null {
  if (cursor === undefined) return null;
  const position = z.safeParse(schema, jsonOrUndefined(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!position.success) throw invalidField("cursor", "cursor must be the next of an earlier answer.");
  return position.data;
}

export function writeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** A text in a position that is compared in the database: one that it can hold. */
export const StoredText = z.string().check(z.refine((text) => !/\p{Cc}|\p{Surrogate}/u.test(text)));

/** A numbered row's place in a list that is read from the database. */
export const NumberPosition = z.int().check(z.gte(0));

/** The order of a list that is put in order here, because the database has no natural order or because it is short. */
export interface ListOrder<Row, Position> {
  readonly position: PositionSchema<Position>;
  readonly positionOf: (row: Row) => Position;
  readonly compare: (left: Position, right: Position) => number;
}

/** A page of a list that fits into memory. Throws VALIDATION for a cursor of nothing. */
export function pageOf<Row, Position>(
  request: PageRequest,
  rows: readonly Row[],
  { position, positionOf, compare }: ListOrder<Row, Position>,
): Page<Row> {
  const after = readCursor(request, position);
  const size = pageSize(request);
  const ordered = rows
    .map((row) => ({ row, at: positionOf(row) }))
    .sort((left, right) => compare(left.at, right.at));
  const rest = after === null ? ordered : ordered.filter(({ at }) => compare(at, after) > 0);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  return {
    items: page.map(({ row }) => row),
    next: rest.length > size && last !== undefined ? writeCursor(last.at) : null,
    total: rows.length,
  };
}

/** By names, as people sort them, the first one first; the last of them is an id, so that no two rows are equal. */
export function byNames<Row>(namesOf: (row: Row) => string[]): ListOrder<Row, string[]> {
  const natural = naturalOrder();
  return {
    position: z.array(z.string()),
    positionOf: namesOf,
    compare: (left, right) => {
      for (const [index, name] of left.entries()) {
        const difference = natural(name, right[index] ?? "");
        if (difference !== 0) return difference;
      }
      return compareIds(left.at(-1), right.at(-1));
    },
  };
}

/** The newest first. */
export function newestFirst<Row extends { readonly id: string }>(
  timeOf: (row: Row) => Date,
): ListOrder<Row, [number, string]> {
  return {
    position: z.tuple([z.number(), z.string()]),
    positionOf: (row) => [timeOf(row).getTime(), row.id],
    compare: ([left, leftId], [right, rightId]) => right - left || compareIds(leftId, rightId),
  };
}

/** Two ids can be equal in the natural order, but not the same. */
function compareIds(left = "", right = ""): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
