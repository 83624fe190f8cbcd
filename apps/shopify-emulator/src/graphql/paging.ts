import { GraphQLError } from "graphql";

/** The most rows of a page, ids of a read and rows of an adjustment. */
export const MAXIMUM_ROWS = 250;

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
  readonly reverse?: boolean | null;
}

/** A list in the order of a growing number, which is what its cursors hold. */
export interface Listing<Row, Node> {
  readonly rows: readonly Row[];
  readonly sequence: (row: Row) => number;
  readonly node: (row: Row) => Node;
  /** A list cannot be paged beyond this many rows; 25,000 at the platform. */
  readonly reach: number;
  /** No page has more, whatever is asked for. */
  readonly pageRows: number;
}

export interface Connection<Node> {
  readonly nodes: () => Node[];
  readonly edges: () => { cursor: string; node: Node }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

function cursorOf(sequence: number): string {
  return Buffer.from(JSON.stringify({ last_id: sequence, last_value: String(sequence) })).toString("base64");
}

function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, "base64").toString("utf8");
  const [, digits] = /^\{"last_id":(\d+),/.exec(text) ?? [];
  if (digits === undefined) throw new GraphQLError("Invalid cursor for current pagination sort.");
  return Number(digits);
}

/** The index of the first row whose number is above the given one. */
function firstAbove<Row>(rows: readonly Row[], sequence: (row: Row) => number, number: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && sequence(row) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function refusal(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

function pageSize(size: number): number {
  if (size < 1) throw refusal("The page size must be 1 or more.", "BAD_USER_INPUT");
  if (size > MAXIMUM_ROWS) {
    throw refusal(
      `The input array size of ${size} is greater than the maximum allowed of ${MAXIMUM_ROWS}.`,
      "MAX_INPUT_SIZE_EXCEEDED",
    );
  }
  return size;
}

interface Window {
  readonly from: number;
  readonly to: number;
}

function windowOf<Row>(listing: Listing<Row, unknown>, page: PageArguments): Window {
  const { rows, sequence } = listing;
  const lower = page.after ? firstAbove(rows, sequence, readCursor(page.after)) : 0;
  const rowsOf = (asked: number) => Math.min(pageSize(asked), listing.pageRows);
  const upper = page.before ? firstAbove(rows, sequence, readCursor(page.before) - 1) : rows.length;
  if (typeof page.first === "number") {
    return { from: lower, to: Math.min(upper, lower + rowsOf(page.first)) };
  }
  if (typeof page.last === "number") {
    return { from: Math.max(lower, upper - rowsOf(page.last)), to: upper };
  }
  throw refusal("You must provide one of first or last", "BAD_REQUEST");
}

/**
 * One page of a list as a GraphQL connection. Throws the platform's errors for a page above 250 rows, for
 * neither first nor last, for a cursor that is none and for a page beyond the list's reach.
 */
export function paginate<Row, Node>(listing: Listing<Row, Node>, page: PageArguments): Connection<Node> {
  if (page.reverse) throw refusal("The stand-in shop does not reverse lists.", "BAD_USER_INPUT");
  const { from, to } = windowOf(listing, page);
  if (from >= listing.reach) {
    throw refusal(`Cannot paginate past ${listing.reach} objects. Use a bulk operation.`, "BAD_REQUEST");
  }
  const shown = listing.rows.slice(from, to);
  const first = shown[0];
  const last = shown.at(-1);
  return {
    nodes: () => shown.map(listing.node),
    edges: () => shown.map((row) => ({ cursor: cursorOf(listing.sequence(row)), node: listing.node(row) })),
    pageInfo: {
      hasNextPage: to < listing.rows.length,
      hasPreviousPage: from > 0,
      startCursor: first === undefined ? null : cursorOf(listing.sequence(first)),
      endCursor: last === undefined ? null : cursorOf(listing.sequence(last)),
    },
  };
}
