import { GraphQLError } from "graphql";

/** What a search can ask of a row: times are milliseconds since 1970. */
export type Searchable = Readonly<Record<string, string | number | null>>;

interface Term {
  readonly field: string;
  readonly comparator: string;
  readonly value: string;
}

const TERM = /\s*(?:AND\s+)?([a-z_]+):(>=|<=|>|<)?(?:'([^']*)'|"([^"]*)"|([^\s'"]+))/y;

function readTerms(query: string): Term[] {
  const terms: Term[] = [];
  const text = query.trim();
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const [, field, comparator = "", quoted, doubleQuoted, bare] = TERM.exec(text) ?? [];
    if (field === undefined) throw new GraphQLError(`The stand-in shop cannot read the search ${query}.`);
    terms.push({ field, comparator, value: quoted ?? doubleQuoted ?? bare ?? "" });
  }
  return terms;
}

/** The platform keeps these times to the second. */
function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function comparable(actual: number, value: string): [number, number] {
  if (/^\d+$/.test(value)) return [actual, Number(value)];
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new GraphQLError(`The stand-in shop cannot compare with ${value}.`);
  return [seconds(actual), seconds(time)];
}

function compare(actual: number, comparator: string, value: string): boolean {
  const [left, right] = comparable(actual, value);
  switch (comparator) {
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    default:
      return left === right;
  }
}

function holds(term: Term, row: Searchable): boolean {
  const actual = row[term.field];
  if (actual === undefined) throw new GraphQLError(`The stand-in shop cannot search by ${term.field}.`);
  if (typeof actual === "number") return compare(actual, term.comparator, term.value);
  return actual?.toLowerCase() === term.value.toLowerCase();
}

/**
 * A filter in the platform's search syntax, as far as the stand-in supports it: terms `field:value` with
 * > >= < <=, joined by spaces or AND. What it does not support is an error, never ignored.
 */
export function searchFilter(query: string | null | undefined): (row: Searchable) => boolean {
  const terms = query ? readTerms(query) : [];
  return (row) => terms.every((term) => holds(term, row));
}
