import { IdInput, limits } from "@stocktake/contract";
import fc from "fast-check";
import * as z from "zod/mini";
import { oddValue } from "./odd-values.ts";

type Schema = z.core.$ZodType;

/** What there is to name, by the name of the field that names it: ids, codes and words that lead somewhere. */
export type Pool = ReadonlyMap<string, readonly string[]>;

/** Values that fit the schema more often than not, so that a call comes as far as its use case and its database. */
export function formOf(schema: Schema, pool: Pool, name = ""): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fittingForm(schema, pool, name), weight: 12 }, oddValue);
}

function fittingForm(schema: Schema, pool: Pool, name: string): fc.Arbitrary<unknown> {
  if (schema instanceof z.core.$ZodObject) return objectForm(schema, pool);
  if (schema instanceof z.core.$ZodArray) return listForm(schema, pool, name);
  if (schema instanceof z.core.$ZodUnion) {
    return fc.oneof(...schema._zod.def.options.map((option) => formOf(option, pool, name)));
  }
  if (schema instanceof z.core.$ZodEnum) return fc.constantFrom(...Object.values(schema._zod.def.entries));
  if (schema instanceof z.core.$ZodLiteral) return fc.constantFrom(...schema._zod.def.values);
  if (schema instanceof z.core.$ZodBoolean) return fc.boolean();
  if (schema instanceof z.core.$ZodNumber) return numberForm(schema);
  const inner = innerOf(schema);
  return inner === null ? textForm(schema, pool, name) : innerForm(schema, inner, pool, name);
}

function innerOf(schema: Schema): Schema | null {
  if (schema instanceof z.core.$ZodOptional) return schema._zod.def.innerType;
  if (schema instanceof z.core.$ZodNullable) return schema._zod.def.innerType;
  return schema instanceof z.core.$ZodDefault ? schema._zod.def.innerType : null;
}

function innerForm(schema: Schema, inner: Schema, pool: Pool, name: string): fc.Arbitrary<unknown> {
  const nothing = schema instanceof z.core.$ZodNullable ? null : undefined;
  return fc.oneof({ arbitrary: formOf(inner, pool, name), weight: 3 }, fc.constant(nothing));
}

function objectForm(schema: z.core.$ZodObject, pool: Pool): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema._zod.def.shape).map(([name, part]) => [
    name,
    formOf(part, pool, name),
  ]);
  const form = fc.record(Object.fromEntries(fields));
  const more = fc.dictionary(fc.constantFrom("_id", "role", "isAdmin", "deletedAt", "status"), oddValue);
  return fc.oneof(
    { arbitrary: form, weight: 9 },
    fc.tuple(form, more).map(([fitting, others]) => Object.assign({}, fitting, others)),
  );
}

function listForm(schema: z.core.$ZodArray, pool: Pool, name: string): fc.Arbitrary<unknown> {
  const element = formOf(schema._zod.def.element, pool, name);
  const short = fc.array(element, { minLength: 1, maxLength: 4 });
  const long = fc
    .tuple(element, fc.constantFrom(limits.areasPerCall, limits.areasPerCall + 1, 3_000))
    .map(([one, length]) => Array.from({ length }, () => one));
  return fc.oneof({ arbitrary: short, weight: 30 }, long);
}

function numberForm(schema: z.core.$ZodNumber): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema._zod.bag;
  const [low, high] = [Number(minimum), Number(maximum)];
  return fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(low, high, low - 1, high + 1));
}

const words = fc.constantFrom("Ada", "Grace", "Front", "Back", "1", "20", "x");

function textForm(schema: Schema, pool: Pool, name: string): fc.Arbitrary<unknown> {
  const known = pool.get(name) ?? [];
  if (known.length > 0) return fc.constantFrom(...known);
  const ids = [...(pool.get("id") ?? [])];
  return schema === IdInput && ids.length > 0 ? fc.constantFrom(...ids) : words;
}
