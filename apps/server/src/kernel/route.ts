import {
  type Access,
  type CallAnswer,
  type CallDefinition,
  type CallRequest,
  ErrorBody,
} from "@stocktake/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import * as z from "zod/mini";
import { ApiError } from "./api-error.ts";
import { type AdminCaller, type Caller, unauthenticated } from "./caller.ts";
import { writeLongAnswer } from "./long-answers.ts";

/** The caller that a handler can count on, by who may make the call. */
type CallerFor<Allowed extends Access> = Allowed extends "admin"
  ? AdminCaller
  : Allowed extends "signed-in"
    ? Caller
    : Caller | null;

/** A validated, authorised request as a handler gets it. */
export interface HandlerRequest<Definition extends CallDefinition> extends CallRequest<Definition> {
  readonly caller: CallerFor<Definition["access"]>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Returns the call's body. It may set another status on `reply` (202, 200 for a repeat), or respond through
 * `reply` itself and return it (CSV, events, prepared JSON).
 */
export type Handler<Definition extends CallDefinition> = (
  request: HandlerRequest<Definition>,
) => Promise<CallAnswer<Definition> | FastifyReply>;

interface RouteOptions {
  /** Runs once it is clear who calls, before the body is read; what it throws is the answer. */
  readonly beforeBody?: () => void;
  /** See `confirmsCaller` in caller.ts: never for a call that just works with the caller it is given. */
  readonly confirmsCaller?: boolean;
  /** Its answer is never large enough to be compressed. */
  readonly isSmall?: boolean;
  /** Its body may be large, and be refused before it is read where the caller's others wait already. */
  readonly isBatch?: boolean;
}

/** What calls of one person take turns among each other. */
export type CallKind = "batches" | "lists";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Null for a call that never waits for another. */
    readonly turns?: CallKind | null;
  }
}

/** Whatever is read may be long; a stream or a file is made while it is sent. */
function kindOf({ method, access, answer }: CallDefinition, isBatch: boolean): CallKind | null {
  if (isBatch) return "batches";
  return method === "GET" && access === "signed-in" && answer !== undefined ? "lists" : null;
}

/** The body of calls that have nothing else to return. */
export const succeeded = { success: true } as const;

/** The caller that the authentication hook found; the contract decides who may go on. */
function authorise(access: Access, { caller, loginEnd }: FastifyRequest): void {
  if (access === "public") return;
  if (caller === null) throw unauthenticated(loginEnd);
  if (access === "admin" && caller.role !== "admin") {
    throw new ApiError("FORBIDDEN", "Only the administrator can do this.");
  }
}

/** What OpenAPI calls the login's cookie. */
export const loginScheme = "login";

function schemaOf(definition: CallDefinition): FastifySchema {
  const { answer, media } = definition;
  return {
    summary: definition.summary,
    security: definition.access === "public" ? [] : [{ [loginScheme]: [] }],
    ...(definition.params === undefined ? {} : { params: definition.params }),
    ...(definition.query === undefined ? {} : { querystring: definition.query }),
    ...(definition.headers === undefined ? {} : { headers: definition.headers }),
    ...(definition.body === undefined ? {} : { body: definition.body }),
    response: {
      ...(answer === undefined ? {} : { "2xx": answer }),
      ...(media === undefined ? {} : { "2xx": { content: { [media]: { schema: z.string() } } } }),
      default: ErrorBody,
    },
  };
}

/**
 * Serves one call of the contract: who may make it, what it takes and what it returns come from its definition.
 * Authorisation comes before validation, so that a stranger learns nothing about the form of a call.
 */
export function route<const Definition extends CallDefinition>(
  app: FastifyInstance,
  definition: Definition,
  handler: Handler<Definition>,
  { beforeBody, confirmsCaller = false, isSmall = false, isBatch = false }: RouteOptions = {},
): void {
  app.route({
    method: definition.method,
    url: definition.path,
    schema: schemaOf(definition),
    config: { confirmsCaller, turns: kindOf(definition, isBatch) },
    // Where the body is not JSON it is a stream or a file, made while it is sent: HEAD would leave it open.
    exposeHeadRoute: definition.answer !== undefined,
    // Of hooks that wait for nothing none is a promise: a scan would wait for each of them in turn.
    onRequest: (request, _reply, done) => {
      authorise(definition.access, request);
      beforeBody?.();
      done();
    },
    ...(isSmall ? { compress: false } : {}),
    handler: async (request, reply) => {
      reply.code(definition.status ?? 200);
      const answer = await handler(handlerRequest<Definition>(request, reply));
      const written = await writeLongAnswer(definition.answer, answer);
      if (written === null) return answer;
      return reply.type("application/json; charset=utf-8").send(written);
    },
  });
}

// Fastify has validated params, query, headers and body with the definition's own schemas and authorise has seen the caller;
// its types cannot carry that, so this is the one place where the shapes are asserted.
function handlerRequest<Definition extends CallDefinition>(
  request: FastifyRequest,
  reply: FastifyReply,
): HandlerRequest<Definition> {
  const { params, query, headers, body, caller } = request;
  return { params, query, headers, body, caller, request, reply } as HandlerRequest<Definition>;
}
