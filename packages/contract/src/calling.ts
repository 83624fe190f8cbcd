import type { CallDefinition, CallInput } from "./call.ts";

type NeededParts<Definition extends CallDefinition> = {
  [Part in keyof CallInput<Definition>]: undefined extends CallInput<Definition>[Part]
    ? never
    : object extends CallInput<Definition>[Part]
      ? never
      : Part;
}[keyof CallInput<Definition>];

/** What a client gives a call: path parameters, query and body, needed where the contract needs them. */
export type CallGiven<Definition extends CallDefinition> = {
  [Part in NeededParts<Definition>]: CallInput<Definition>[Part];
} & {
  [Part in Exclude<keyof CallInput<Definition>, NeededParts<Definition>>]?:
    | CallInput<Definition>[Part]
    | undefined;
};

/** The arguments of a function that makes calls: a call that needs nothing may be given nothing. */
export type CallArguments<Definition extends CallDefinition, Options = unknown> = [
  NeededParts<Definition>,
] extends [never]
  ? [given?: CallGiven<Definition> & Options]
  : [given: CallGiven<Definition> & Options];

function entriesOf(part: unknown): [string, string][] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
}

/** The path and query of a call, with its path parameters filled in. */
export function callAddress(definition: CallDefinition, params?: unknown, query?: unknown): string {
  const values = new Map(entriesOf(params));
  const path = definition.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(values.get(name) ?? ""),
  );
  const search = new URLSearchParams(entriesOf(query)).toString();
  return search === "" ? path : `${path}?${search}`;
}
