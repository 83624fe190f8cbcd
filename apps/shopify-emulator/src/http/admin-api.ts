import type { IncomingMessage, ServerResponse } from "node:http";
import { GraphQLError, type GraphQLSchema, type OperationDefinitionNode, print } from "graphql";
import { createYoga, type Plugin, type YogaServerInstance } from "graphql-yoga";
import type { KeysInFlight } from "../adjusting/adjust.ts";
import type { Effect, HangingCalls } from "../faults.ts";
import { actualCost, type CostBucket, requestedCost } from "../graphql/cost.ts";
import { type ReadOperation, readOperation } from "../graphql/operation.ts";
import type { CallContext } from "../graphql/root.ts";
import type { CallLog } from "./call-log.ts";
import { jsonReply, type Reply, readBody } from "./exchange.ts";
import type { Tokens } from "./tokens.ts";

/** A single call may not cost more. */
const SINGLE_CALL_LIMIT = 1000;

interface PricedContext extends CallContext {
  readonly call: ReadOperation | null;
  readonly requested: number;
  readonly bucket: CostBucket;
}

export interface AdminApiServices {
  readonly schema: GraphQLSchema;
  readonly tokens: Tokens;
  readonly bucket: CostBucket;
  readonly hanging: HangingCalls;
  readonly inFlight: KeysInFlight;
  readonly log: CallLog;
  readonly context: () => Omit<CallContext, "callKey">;
}

/** Null where the connection is to be destroyed without a reply. */
type ReplyOrNull = Reply | null;

function costExtensions({ bucket, requested, searchWarnings }: PricedContext, actual: number | null) {
  return {
    ...(searchWarnings.length > 0 && { search: searchWarnings }),
    cost: { requestedQueryCost: requested, actualQueryCost: actual, throttleStatus: bucket.status() },
  };
}

/** Adds the cost to the result of every execution, and gives back what was asked for but not used. */
function costPlugin(schema: GraphQLSchema): Plugin<PricedContext> {
  return {
    onExecute: ({ args }) => ({
      onExecuteDone: ({ result, setResult }) => {
        const context: PricedContext = args.contextValue;
        const { call, requested, bucket } = context;
        if (!call || Symbol.asyncIterator in result) return;
        const refusals = variableErrors(result.errors, call.definition);
        if (refusals) {
          bucket.giveBack(requested);
          setResult({ errors: refusals });
          return;
        }
        const actual = actualCost(schema, call.document, call.definition, call.variables, result.data);
        bucket.giveBack(requested - actual);
        setResult({ ...result, extensions: costExtensions(context, actual) });
      },
    }),
  };
}

function errorReply(message: string, code: string, extensions: object | undefined): Reply {
  const documentation = "https://shopify.dev/api/usage/rate-limits";
  return jsonReply({
    errors: [{ message, extensions: { code, documentation } }],
    ...(extensions && { extensions }),
  });
}

function statusReply({ status, retryAfter }: Extract<Effect, { kind: "status" }>): Reply {
  const headers = retryAfter === undefined ? {} : { "Retry-After": retryAfter.toFixed(1) };
  const errors = status === 429 ? "Exceeded 2 calls per second for api client." : "Internal Server Error";
  return jsonReply({ errors }, status, headers);
}

function throttled(context: PricedContext): Reply {
  return errorReply("Throttled", "THROTTLED", costExtensions(context, null));
}

const JSON_HEADERS = { "Content-Type": "application/json; charset=utf-8" };

type Stopped = { readonly reply: ReplyOrNull };

/** POST /admin/api/2026-10/graphql.json. */
export class AdminApi {
  private readonly services: AdminApiServices;
  private readonly yoga: YogaServerInstance<PricedContext, object>;

  constructor(services: AdminApiServices) {
    this.services = services;
    this.yoga = createYoga<PricedContext>({
      schema: services.schema,
      graphqlEndpoint: "/graphql.json",
      maskedErrors: false,
      logging: false,
      graphiql: false,
      landingPage: false,
      plugins: [costPlugin(services.schema)],
    });
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<ReplyOrNull> {
    const { tokens, log } = this.services;
    const left = clientLeft(response);
    const body = await readBody(request);
    const token = request.headers["x-shopify-access-token"];
    if (!tokens.opens(typeof token === "string" ? token : undefined)) {
      const errors = "[API] Invalid API key or access token (unrecognized login or wrong password)";
      return jsonReply({ errors }, 401);
    }
    const call = readOperation(body);
    const entry = log.begin(call, body);
    const reply = await this.handleWithKey(call, body, left);
    log.end(entry, reply);
    return reply;
  }

  /** Holds the call's key until the call has its reply. */
  private async handleWithKey(
    call: ReadOperation | null,
    body: string,
    left: Promise<void>,
  ): Promise<ReplyOrNull> {
    const { inFlight } = this.services;
    const key = call?.key;
    const concurrent = key !== undefined && !inFlight.enter(key);
    try {
      return await this.executeUnderFaults(this.contextOf(call, concurrent), body, left);
    } finally {
      if (key !== undefined && !concurrent) inFlight.leave(key);
    }
  }

  private contextOf(call: ReadOperation | null, concurrent: boolean): PricedContext {
    const { schema, bucket, context } = this.services;
    const requested = call ? requestedCost(schema, call.document, call.definition, call.variables) : 0;
    return { ...context(), callKey: { key: call?.key, concurrent }, call, requested, bucket };
  }

  private async executeUnderFaults(
    context: PricedContext,
    body: string,
    left: Promise<void>,
  ): Promise<ReplyOrNull> {
    const effect = context.call ? context.faults.consume(context.call) : null;
    const stopped = await this.beforeEffect(effect, context, left);
    if (stopped) return stopped.reply;
    return this.afterEffect(effect, await this.execute(body, context), left);
  }

  /** Null: the call goes on. */
  private async beforeEffect(
    effect: Effect | null,
    context: PricedContext,
    left: Promise<void>,
  ): Promise<Stopped | null> {
    if (effect?.kind === "throttled") return { reply: throttled(context) };
    if (!effect || !("when" in effect) || effect.when !== "before") return null;
    if (effect.kind === "lost") return { reply: null };
    if (effect.kind === "status") return { reply: statusReply(effect) };
    const never = new Promise<void>(() => {});
    const outcome = await this.services.hanging.hold(effect.applyLate ? never : left);
    return outcome === "left" ? { reply: null } : null;
  }

  private async afterEffect(effect: Effect | null, reply: Reply, left: Promise<void>): Promise<ReplyOrNull> {
    if (!effect || !("when" in effect) || effect.when !== "after") return reply;
    if (effect.kind === "lost") return null;
    if (effect.kind === "status") return statusReply(effect);
    return (await this.services.hanging.hold(left)) === "left" ? null : reply;
  }

  private async execute(body: string, context: PricedContext): Promise<Reply> {
    const { requested, bucket } = context;
    if (requested > SINGLE_CALL_LIMIT) {
      const message = `Query cost is ${requested}, which exceeds the single query max cost limit (${SINGLE_CALL_LIMIT}).`;
      return errorReply(message, "MAX_COST_EXCEEDED", undefined);
    }
    if (!bucket.take(requested)) return throttled(context);
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const init = { method: "POST", headers, body };
    const response = await this.yoga.fetch("http://emulator/graphql.json", init, context);
    return { status: response.status, body: await response.text(), headers: JSON_HEADERS };
  }
}

const REFUSED_VARIABLE = /^Variable "\$(\w+)" (?:got invalid value|of (?:required|non-null) type)/;
const UNDEFINED_FIELD = /Field "(\w+)" is not defined by type "(\w+)"/;

interface Problem {
  readonly path: readonly string[];
  readonly explanation: string;
}

function problemOf(message: string): Problem {
  const [, within = ""] = /value .* at "\w+\.?([^"]*)"; /.exec(message) ?? [];
  const path = within === "" ? [] : within.split(/[.[\]]+/).filter(Boolean);
  const [, field, type] = UNDEFINED_FIELD.exec(message) ?? [];
  return field === undefined
    ? { path, explanation: message.slice(message.lastIndexOf("; ") + 1).trim() }
    : { path: [...path, field], explanation: `Field is not defined on ${type}` };
}

/**
 * The platform's wording of variables that do not fit their types: INVALID_VARIABLE with the places. Null
 * where the errors are of another kind.
 */
function variableErrors(
  errors: readonly GraphQLError[] | undefined,
  operation: OperationDefinitionNode,
): GraphQLError[] | null {
  const refused = (errors ?? []).flatMap((error) => {
    const [, name] = REFUSED_VARIABLE.exec(error.message) ?? [];
    return name === undefined ? [] : [{ name, problem: problemOf(error.message), nodes: error.nodes }];
  });
  const [first] = refused;
  if (!first) return null;
  const definition = operation.variableDefinitions?.find(
    ({ variable }) => variable.name.value === first.name,
  );
  const type = definition ? print(definition.type) : "unknown";
  const problems = refused.map(({ problem }) => problem);
  const { path, explanation } = first.problem;
  const message = `Variable $${first.name} of type ${type} was provided invalid value for ${path.join(".")} (${explanation})`;
  return [
    new GraphQLError(message, {
      nodes: first.nodes ?? null,
      extensions: { code: "INVALID_VARIABLE", problems },
    }),
  ];
}

/** Resolves when the client goes away before it has its reply. */
function clientLeft(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", () => {
      if (!response.writableEnded) resolve();
    });
  });
}
