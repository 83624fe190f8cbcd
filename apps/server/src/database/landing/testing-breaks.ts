import type { Column, Rule, Schema } from "./testing-schema.ts";

/**
 * What of a schema a server that was written for an earlier one can't live with, a sentence each: it reads or names what is gone, writes what
 * is refused, or meets values that it does not know. Tables and columns that are new and may stay empty are no such thing.
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
    ...rulesGone(
      before.rules.filter(({ table }) => isLeft.has(table)),
      after,
    ),
    ...before.functions
      .filter((text) => !after.functions.includes(text))
      .map((text) => `function ${text} is gone`),
  ];
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
    ...(is.notNull && was.filled && !is.filled ? [`column ${name} has to be given`] : []),
  ];
}

const textOf = ({ table, kind, text }: Rule) => `${kind} of ${table}: ${text}`;

/** One over new columns alone holds of whatever a server leaves out, but a key: two rows may be left alike. */
function rulesAdded(before: Schema, rules: readonly Rule[]): string[] {
  const had = new Set(before.rules.map(textOf));
  const known = new Set(before.columns.map(nameOf));
  return rules
    .filter((rule) => !had.has(textOf(rule)))
    .filter(
      ({ table, kind, columns }) =>
        kind === "key" || kind === "trigger" || columns.some((name) => known.has(`${table}.${name}`)),
    )
    .map((rule) => `added: ${textOf(rule)}`);
}

/** A foreign key or a trigger that is gone is missed by nobody. */
function rulesGone(rules: readonly Rule[], after: Schema): string[] {
  const left = new Set(after.rules.map(textOf));
  return rules
    .filter(({ kind }) => kind === "check" || kind === "key")
    .filter((rule) => !left.has(textOf(rule)))
    .map((rule) => `gone: ${textOf(rule)}`);
}
