import type { CallAnswer, CallDefinition, CallInput } from "@stocktake/contract";
import { NoAnswerError, readRefusal } from "./errors.ts";
import { announceUnauthenticated } from "./unauthenticated.ts";

type NeededParts<Definition extends CallDefinition> = {
  [Part in keyof CallInput<Definition>]: undefined extends CallInput<Definition>[Part]
    ? never
    : object extends CallInput<Definition>[Part]
      ? never
      : Part;
}[keyof CallInput<Definition>];

/** How a call is sent; nothing here is part of the contract. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** After how many milliseconds without an answer the call counts as unanswered. */
  readonly timeoutMs?: number;
}

/** What a call is given: the contract's path parameters, query and body, needed where the contract needs them. */
export type CallGiven<Definition extends CallDefinition> = {
  [Part in NeededParts<Definition>]: CallInput<Definition>[Part];
} & {
  [Part in Exclude<keyof CallInput<Definition>, NeededParts<Definition>>]?:
    | CallInput<Definition>[Part]
    | undefined;
} & SendOptions;

type GivenArguments<Definition extends CallDefinition> = [NeededParts<Definition>] extends [never]
  ? [given?: CallGiven<Definition>]
  : [given: CallGiven<Definition>];

interface Parts extends SendOptions {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

// Deploy and session start answer within 25 s; what has said nothing after a minute will not.
const patienceMs = 60_000;

function entriesOf(part: unknown): [string, string][] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
}

/** The call's address, with its path parameters and query filled in. */
export function addressOf(definition: CallDefinition, params: unknown, query: unknown): string {
  const values = new Map(entriesOf(params));
  const path = definition.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(values.get(name) ?? ""),
  );
  const search = new URLSearchParams(entriesOf(query)).toString();
  return search === "" ? path : `${path}?${search}`;
}

function requestOf(definition: CallDefinition, given: Parts): RequestInit {
  const patience = AbortSignal.timeout(given.timeoutMs ?? patienceMs);
  return {
    method: definition.method,
    credentials: "include",
    cache: "no-store",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...given.headers },
    signal: given.signal === undefined ? patience : AbortSignal.any([given.signal, patience]),
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  };
}

async function exchange(definition: CallDefinition, given: Parts): Promise<Response> {
  const address = addressOf(definition, given.params, given.query);
  try {
    return await fetch(address, requestOf(definition, given));
  } catch (error) {
    if (given.signal?.aborted === true) throw error;
    throw new NoAnswerError(error);
  }
}

/**
 * Sends a call and gives the whole response, for bodies that are not JSON (CSV) and for 304.
 * Throws ApiError for a refusal and NoAnswerError where none arrived; a 401 also ends the login in the page.
 */
export async function sendCall<Definition extends CallDefinition>(
  definition: Definition,
  ...[given]: GivenArguments<Definition>
): Promise<Response> {
  const response = await exchange(definition, given ?? {});
  if (response.ok || response.status === 304) return response;
  if (response.status === 401) announceUnauthenticated();
  throw await readRefusal(response);
}

/**
 * Sends a call of the contract and gives its ordinary answer (also that of a 202).
 * Throws as {@link sendCall} does; an answer that is not JSON did not come from the server and counts as none.
 */
export async function callApi<Definition extends CallDefinition>(
  definition: Definition,
  ...given: GivenArguments<Definition>
): Promise<CallAnswer<Definition>> {
  const response = await sendCall(definition, ...given);
  try {
    return await response.json();
  } catch (error) {
    throw new NoAnswerError(error);
  }
}
