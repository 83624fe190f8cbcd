import type * as z from "zod/mini";
import type { ErrorCode } from "./errors.ts";
import type { EventType } from "./events.ts";

/** Who may make a call: anyone, anyone signed in (for what they can access), or the administrator. */
export type Access = "public" | "signed-in" | "admin";

type Schema = z.core.$ZodType;

/** What one HTTP call is: everything that validation, authorisation, the client and the OpenAPI document need. */
export interface CallDefinition {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Fastify's notation: `/api/stores/:id`. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly summary: string;
  /** The status of the ordinary response; 200 where absent. */
  readonly status?: 200 | 201;
  readonly params?: Schema;
  readonly query?: Schema;
  /** What it reads of the request's headers: a secret, which an address would carry into logs. */
  readonly headers?: Schema;
  readonly body?: Schema;
  /** The body of the ordinary response, where it is JSON. */
  readonly answer?: Schema;
  /** The content type of a body that is not JSON. */
  readonly media?: "text/csv" | "text/event-stream" | "application/x-ndjson";
  /** The refusals beyond VALIDATION, UNAUTHENTICATED, FORBIDDEN, NOT_FOUND and, of whatever is about an archived session, SESSION_ARCHIVED. */
  readonly refusals?: readonly ErrorCode[];
  /**
   * The types of event that it publishes when it has changed something. Every call but a GET has them: an empty list
   * says that no open page shows what it changes.
   */
  readonly events?: readonly EventType[];
}

export function defineCall<const Definition extends CallDefinition>(definition: Definition): Definition {
  return definition;
}

type InputOf<Part> = Part extends Schema ? z.core.input<Part> : undefined;
type OutputOf<Part> = Part extends Schema ? z.core.output<Part> : undefined;
type Member<Definition, Name extends string> = Definition extends { readonly [K in Name]: infer Part }
  ? Part
  : undefined;

/** What a client gives: path parameters, query and body before validation. */
export interface CallInput<Definition extends CallDefinition> {
  params: InputOf<Member<Definition, "params">>;
  query: InputOf<Member<Definition, "query">>;
  body: InputOf<Member<Definition, "body">>;
}

/** What a handler gets: the same after validation, and the headers that it reads. */
export interface CallRequest<Definition extends CallDefinition> {
  headers: OutputOf<Member<Definition, "headers">>;
  params: OutputOf<Member<Definition, "params">>;
  query: OutputOf<Member<Definition, "query">>;
  body: OutputOf<Member<Definition, "body">>;
}

/** The body of a call's ordinary response. */
export type CallAnswer<Definition extends CallDefinition> = OutputOf<Member<Definition, "answer">>;
