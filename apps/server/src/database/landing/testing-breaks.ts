import type { Column, Rule, Schema } from "./testing-schema.ts";

/**
 * What of a schema a server that was written for an earlier one can't live with, a sentence each: it reads or names what is gone, writes what
 * is refused, or meets values that are new to it. Tables and columns that are new and may stay empty are no such thing.
 */
export function breaksBetween(before: Schema, after: Schema): string[] {
  const tables = new Set(before.columns.map(({ table }) => table));
  const isKnown = ({ table }: { readonly table: string }) => tables.has(table);
  const [known, now] = [byName(before.columns), byName(after.columns)];
  const isLeft = new Set(after.columns.map(({ table }) => table));
  return [
    ...[...tables].filter((table) => !isLeft.has(table)).map((table) => `table ${table} is gone`),
    ...before.columns
      .filter(({ table }) => isLeft.has(table))
      .flatMap((column) => changesOf(column, now.get(nameOf(column)))),
    ...after.columns
      .filter((column) => isKnown(column) && !known.has(nameOf(column)) && column.notNull && !column.filled)
      .map((column) => `column ${nameOf(column)} is new and has to be given`),
    ...rulesAdded(before, after.rules.filter(isKnown)),
    ...after.rules
      .filter((rule) => !isKnown(rule) && keepsRowsOf(rule, tables))
      .map((rule) => `added: ${textOf(rule)}`),
    ...rulesGone(
      before.rules.filter(({ table }) => isLeft.has(table)),
      after,
    ),
    ...functionChanges(before, after),
  ];
}

function functionChanges(before: Schema, after: Schema): string[] {
  const now = new Map(after.functions.map((each) => [each.name, each]));
  return before.functions.flatMap(({ name, result, body }) => {
    const is = now.get(name);
    if (is === undefined) return [`function ${name} is gone`];
    return [
      ...(is.result === result ? [] : [`function ${name} returns ${is.result}, not ${result}`]),
      ...(is.body === body ? [] : [`function ${name} does something else`]),
    ];
  });
}

const nameOf = ({ table, name }: Column) => `${table}.${name}`;

function byName(columns: readonly Column[]): ReadonlyMap<string, Column> {
  return new Map(columns.map((column) => [nameOf(column), column]));
}

function changesOf(was: Column, is: Column | undefined): string[] {
  const name = nameOf(was);
  if (is === undefined) return [`column ${name} is gone`];
  return [
    ...(is.type === was.type ? [] : [`column ${name} is ${is.type}, not ${was.type}`]),
    ...(is.notNull && !was.notNull ? [`column ${name} may not be null any more`] : []),
    ...(was.notNull && !is.notNull ? [`column ${name} may be null now`] : []),
    ...(is.notNull && was.filled && !is.filled ? [`column ${name} has to be given`] : []),
    ...(is.always && !was.always ? [`column ${name} takes no value any more`] : []),
  ];
}

const textOf = ({ table, kind, text }: Rule) => `${kind} of ${table}: ${text}`;

/** A foreign key over new columns alone is none of a row that leaves them out; whether a check holds of such a row is to be argued. */
function rulesAdded(before: Schema, rules: readonly Rule[]): string[] {
  const had = new Set(before.rules.map(textOf));
  const known = new Set(before.columns.map(nameOf));
  return rules
    .filter((rule) => !had.has(textOf(rule)))
    .filter(
      ({ table, kind, columns }) =>
        kind !== "foreign key" || columns.some((name) => known.has(`${table}.${name}`)),
    )
    .map((rule) => `added: ${textOf(rule)}`);
}

/** A foreign key of a new table by which a row of an older table can't be deleted any more; whether they ever do is to be argued. */
function keepsRowsOf({ kind, text }: Rule, tables: ReadonlySet<string>): boolean {
  const to = / REFERENCES (\w+)/.exec(text)?.[1];
  return (
    kind === "foreign key" && to !== undefined && tables.has(to) && !/ ON DELETE (CASCADE|SET)/.test(text)
  );
}

/** A foreign key that is gone is missed by nobody, unless it deleted or emptied rows by itself. */
function rulesGone(rules: readonly Rule[], after: Schema): string[] {
  const left = new Set(after.rules.map(textOf));
  return rules
    .filter(({ kind, text }) => kind !== "foreign key" || / ON DELETE /.test(text))
    .filter((rule) => !left.has(textOf(rule)))
    .map((rule) => `gone: ${textOf(rule)}`);
}
