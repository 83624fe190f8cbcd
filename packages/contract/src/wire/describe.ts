import * as z from "zod/mini";
import type { CallDefinition } from "../call.ts";
import { allCalls } from "../calls/index.ts";
import { errorCodes, errorStatuses } from "../errors.ts";
import * as contract from "../index.ts";
import { limits } from "../limits.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

const opening = `# The calls

Made from packages/contract by \`npm run wire\`; a test compares. A device that was loaded yesterday meets a server of
today: fields may be added to answers and, optional, to requests. Anything else that changes here breaks that device, so it
needs a decision about what such a device does.

A field with \`?\` may be absent. Lengths are in characters (code points). Beside the refusals that are listed, every call
can end with VALIDATION, UNAUTHENTICATED, FORBIDDEN or NOT_FOUND, and with INTERNAL, OVERLOADED or STORAGE_UNAVAILABLE.
`;

/** The shapes that the contract exports, each by its name, so that a call names them instead of repeating them. */
const namedShapes = z.registry<{ id: string }>();
for (const [name, value] of Object.entries(contract)) {
  const isShape = value instanceof z.ZodMiniObject || value instanceof z.ZodMiniEnum;
  if (isShape && !namedShapes.has(value)) namedShapes.add(value, { id: name });
}

/** The contract's calls, shapes, error codes and limits as a page that people read and a test compares. */
export function describeWire(): string {
  const shapes = new Map<string, JsonSchema>();
  const calls = allCalls
    .toSorted((left, right) => compare(left.path, right.path) || compare(left.method, right.method))
    .map((call) => describeCall(call, shapes));
  const events = describeSchema(contract.LiveEvent, "output", shapes);
  const described = [...shapes]
    .toSorted(([left], [right]) => compare(left, right))
    .map(([name, shape]) => `${name} = ${textOf(shape, "")}`);
  return [
    opening,
    ...["## Who may make which call\n", accessTable(), ""],
    ...["## Call by call\n", ...calls],
    ...["## Shapes\n", "```", ...described, "```\n"],
    ...["## Events\n", "```", `GET /api/events sends ${events}`, "```\n"],
    ...["## Error codes\n", "```", ...lines(errorStatuses), "```\n"],
    ...["## Limits\n", "```", ...lines(limits), "```\n"],
  ].join("\n");
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function lines(values: Readonly<Record<string, number>>): string[] {
  return Object.entries(values).map(([name, value]) => `${name} ${value}`);
}

function accessTable(): string {
  const header = "| call | who | what it does | publishes |\n|---|---|---|---|\n";
  const rows = allCalls.map(({ method, path, access, summary, events = [] }) => {
    return `| \`${method} ${path}\` | ${access} | ${summary} | ${events.join(", ")} |\n`;
  });
  return header + rows.toSorted(compare).join("");
}

function describeCall(call: CallDefinition, shapes: Map<string, JsonSchema>): string {
  const { method, path, access, status = 200, refusals = [] } = call;
  const parts = (
    [
      ["params", call.params],
      ["query", call.query],
      ["headers", call.headers],
      ["body", call.body],
    ] as const
  ).flatMap(([name, schema]) =>
    schema === undefined ? [] : [`${name} ${describeSchema(schema, "input", shapes)}`],
  );
  const answer = call.answer === undefined ? "no JSON" : describeSchema(call.answer, "output", shapes);
  const refused = refusals.length === 0 ? [] : [`refusals ${refusals.toSorted().join(", ")}`];
  const text = [`${access}`, ...parts, `${status} ${answer}`, ...refused].join("\n");
  return `### ${method} ${path}\n\n\`\`\`\n${text}\n\`\`\`\n`;
}

function describeSchema(
  schema: z.core.$ZodType,
  io: "input" | "output",
  shapes: Map<string, JsonSchema>,
): string {
  const { $defs = {}, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    metadata: namedShapes,
  });
  for (const [name, shape] of Object.entries($defs)) shapes.set(name, shape);
  return textOf(json, "");
}

function textOf(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace("#/$defs/", "");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => textOf(asSchema(choice), indent)).join(" | ");
  if (schema.enum?.length === errorCodes.length) return "an error code";
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.properties !== undefined) return fieldsOf(schema, indent);
  if (schema.type === "array") return `list of ${textOf(itemOf(schema), indent)}${rangeOf(schema)}`;
  if (schema.type === "object") return "object";
  const types: unknown = schema.type ?? "anything";
  return `${Array.isArray(types) ? types.join(" | ") : String(types)}${rangeOf(schema)}`;
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${inner}${name}${optional}: ${textOf(asSchema(field), inner)}\n`;
  });
  return fields.length === 0 ? "{}" : `{\n${fields.join("")}${indent}}`;
}

function asSchema(schema: z.core.JSONSchema._JSONSchema): JsonSchema {
  return typeof schema === "boolean" ? {} : schema;
}

function itemOf({ items }: JsonSchema): JsonSchema {
  return items === undefined || Array.isArray(items) ? {} : asSchema(items);
}

/** What a value is held to, as far as JSON Schema can say it: " 1..300", " format date-time". */
function rangeOf(schema: JsonSchema): string {
  const from = schema.minLength ?? schema.minimum ?? schema.minItems;
  const to = schema.maxLength ?? schema.maximum ?? schema.maxItems;
  const safe = to === Number.MAX_SAFE_INTEGER;
  const range =
    from === undefined && (to === undefined || safe) ? "" : ` ${usual(from)}..${safe ? "" : (to ?? "")}`;
  const format = schema.format === undefined ? "" : ` format ${schema.format}`;
  const pattern = schema.pattern === undefined || format !== "" ? "" : ` like ${schema.pattern}`;
  const fallback = schema.default === undefined ? "" : ` default ${JSON.stringify(schema.default)}`;
  return `${range}${format}${pattern}${fallback}`.replace(" ..", "");
}

function usual(minimum: number | undefined): string {
  return minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? "" : String(minimum);
}
