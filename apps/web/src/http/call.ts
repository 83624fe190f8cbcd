import {
  type CallAnswer,
  type CallArguments,
  type CallDefinition,
  callAddress,
  ErrorBody,
  readAllPages,
} from "@stocktake/contract";
import * as z from "zod/mini";
import { nextTask } from "../events/next-task.ts";
import { ApiError, NoAnswerError } from "./errors.ts";
import { readRetryAfter } from "./retry-after.ts";
import { announceUnauthenticated } from "./unauthenticated.ts";

/** How a call is sent; nothing here is part of the contract. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** After how many milliseconds without an answer the call counts as unanswered. */
  readonly timeoutMs?: number;
}

type GivenArguments<Definition extends CallDefinition> = CallArguments<Definition, SendOptions>;

interface Parts extends SendOptions {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

// Deploy and session start respond within 25 s; what has not responded after a minute will not.
const defaultTimeoutMs = 60_000;

function requestOf(definition: CallDefinition, given: Parts): RequestInit {
  const timeout = AbortSignal.timeout(given.timeoutMs ?? defaultTimeoutMs);
  return {
    method: definition.method,
    credentials: "include",
    cache: "no-store",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...given.headers },
    signal: given.signal === undefined ? timeout : AbortSignal.any([given.signal, timeout]),
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  };
}

async function exchange(definition: CallDefinition, given: Parts): Promise<Response> {
  // A page that opens reads ten lists at once: sent in one piece, a phone would be deaf for as long as that takes.
  if (definition.method === "GET") await nextTask();
  const address = callAddress(definition, given.params, given.query);
  try {
    return await fetch(address, requestOf(definition, given));
  } catch (error) {
    if (given.signal?.aborted === true) throw error;
    throw new NoAnswerError(error);
  }
}

/** Reads a refusal; a body that is not the contract's (a proxy's page, say) leaves the code null and no sentence. */
async function readRefusal(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  const parsed = z.safeParse(ErrorBody, parseJson(text));
  const retryAfterMs = readRetryAfter(response.headers, Date.now());
  return new ApiError(response.status, parsed.success ? parsed.data : null, retryAfterMs);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
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
  return sendParts(definition, given ?? {});
}

async function sendParts(definition: CallDefinition, given: Parts): Promise<Response> {
  const response = await exchange(definition, given);
  if (response.ok || response.status === 304) return response;
  const refusal = await readRefusal(response);
  if (response.status === 401) announceUnauthenticated(refusal.loginEnd);
  throw refusal;
}

/**
 * Sends a call of the contract and gives its ordinary answer (also that of a 202).
 * Throws as {@link sendCall} does; an answer that is not JSON did not come from the server and counts as none.
 */
export async function callApi<Definition extends CallDefinition>(
  definition: Definition,
  ...[given]: GivenArguments<Definition>
): Promise<CallAnswer<Definition>> {
  return callParts(definition, given ?? {});
}

async function callParts<Definition extends CallDefinition>(
  definition: Definition,
  given: Parts,
): Promise<CallAnswer<Definition>> {
  const response = await sendParts(definition, given);
  try {
    return await response.json();
  } catch (error) {
    throw new NoAnswerError(error);
  }
}

/**
 * Reads a list to its end, page after page, and gives its entries in one answer. Throws as {@link callApi} does, with
 * nothing where one page is missing. `timeoutMs` is for each page.
 */
export async function callAllPages<Definition extends CallDefinition>(
  definition: Definition,
  ...[given]: GivenArguments<Definition>
): Promise<CallAnswer<Definition>> {
  const parts: Parts = given ?? {};
  return readAllPages((cursor) =>
    callParts(definition, cursor === null ? parts : { ...parts, query: { ...(parts.query ?? {}), cursor } }),
  );
}

/** What asks for a page of a list: so many entries, from a cursor on; the first page's is empty. */
export function pageOf(limit: number, cursor: string): { limit: string; cursor?: string } {
  return { limit: String(limit), ...(cursor === "" ? {} : { cursor }) };
}
