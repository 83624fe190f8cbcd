import { IdInput, NumericIdInput } from "@stocktake/contract";
import * as z from "zod/mini";

type Schema = z.core.$ZodType;

/** A field that a schema takes, by the names that lead to it; "0" leads into a list. */
export interface SchemaField {
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** Every field that the schema takes, to any depth, those of every choice. */
export function fieldsIn(schema: Schema | undefined, path: readonly string[] = []): SchemaField[] {
  if (schema === undefined) return [];
  if (schema instanceof z.core.$ZodObject) {
    return Object.entries(schema._zod.def.shape).flatMap(([name, part]) => {
      const here = [...path, name];
      return [{ path: here, schema: part }, ...fieldsIn(part, here)];
    });
  }
  if (schema instanceof z.core.$ZodArray) return fieldsIn(schema._zod.def.element, [...path, "0"]);
  if (schema instanceof z.core.$ZodUnion) {
    return schema._zod.def.options.flatMap((option) => fieldsIn(option, path));
  }
  return isWrapped(schema) ? fieldsIn(schema._zod.def.innerType, path) : [];
}

function isWrapped(schema: Schema): schema is z.core.$ZodOptional | z.core.$ZodNullable | z.core.$ZodDefault {
  const wrappers = [z.core.$ZodOptional, z.core.$ZodNullable, z.core.$ZodDefault];
  return wrappers.some((wrapper) => schema instanceof wrapper);
}

/** Whether the field is an id of ours. */
export function isId({ schema }: SchemaField): boolean {
  const inner = isWrapped(schema) ? schema._zod.def.innerType : schema;
  const ids: readonly Schema[] = [IdInput, NumericIdInput];
  return isWrapped(inner) ? isId({ path: [], schema: inner }) : ids.includes(inner);
}
