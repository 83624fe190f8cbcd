import { constants } from "node:zlib";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import swagger from "@fastify/swagger";
import { limits } from "@stocktake/contract";
import fastify, { type FastifyInstance } from "fastify";
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { authenticateCalls, createCallerLookUp, findLoginEnd, loginCookie } from "../auth/auth.ts";
import { nameEpoch } from "../health/health.ts";
import { ApiError } from "../kernel/api-error.ts";
import { refuseForeignOrigins } from "../kernel/origin.ts";
import { loginScheme } from "../kernel/route.ts";
import type { AppContext } from "./assembly.ts";
import { connectionLimits, descriptorsHere, limitConnections } from "./http/connection-limits.ts";
import { closeConnectionsWithoutRequests, connectionOptions } from "./http/connections.ts";
import { type ReadRoom, refuseWithoutRoom } from "./http/disk-room.ts";
import { handleErrors, refuseUnreadablePath } from "./http/error-handler.ts";
import { trustedProxies } from "./http/proxies.ts";
import { nameRequests, requestIdOptions } from "./http/request-ids.ts";
import { setSecurityHeaders } from "./http/security-headers.ts";
import { CallTurns } from "./http/take-turns.ts";
import { serveWebApp } from "./http/web-app.ts";

/** Serves the calls of one slice over the given parts. */
export type SliceRoutes = (app: FastifyInstance, context: AppContext) => void;

/**
 * Everybody may read it, so it is written once and not compressed for each: twenty strangers who asked for it over and
 * over made every other call wait for half a second.
 */
function serveDescription(app: FastifyInstance): void {
  // As bytes, which all who read it share: a string would be copied for each.
  let description: Buffer | null = null;
  app.get("/api/openapi.json", { schema: { hide: true }, compress: false }, async (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type("application/json; charset=utf-8").send(description);
  });
}

/**
 * A window of 256 KB instead of 4 MB: each answer that is being compressed holds 15 MiB less, and a report of a hundred thousand rows, whose
 * rows resemble their neighbours, comes out a hundredth smaller. The quality is the plugin's own.
 */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

/**
 * Puts the HTTP server together over the given parts and slices. `webRoot` is the folder of the built web app; without
 * it only the API is served. The caller listens and closes.
 */
export async function buildApp(
  context: AppContext,
  slices: readonly SliceRoutes[],
  webRoot: string | null,
  readRoom?: ReadRoom,
): Promise<FastifyInstance> {
  const { config } = context;
  const app = fastify({
    loggerInstance: context.logger,
    bodyLimit: limits.bodyBytes,
    trustProxy: trustedProxies(config),
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: refuseUnreadablePath,
    ...requestIdOptions,
    ...connectionOptions,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  nameRequests(app);
  closeConnectionsWithoutRequests(app);
  const bounds = connectionLimits(descriptorsHere(), config.trustProxy !== false);
  limitConnections(app.server, bounds, context.logger);
  const turns = new CallTurns(context.clock);
  readJsonBodies(app, turns);
  handleErrors(app);
  await app.register(cookie);
  await app.register(compress, { threshold: 8192, brotliOptions });
  // Devices set their clocks by it, so it is of the clock that their scans are compared with.
  app.addHook("onRequest", (_request, reply, done) => {
    reply.header("date", new Date(context.clock.now()).toUTCString());
    done();
  });
  setSecurityHeaders(app, config.publicUrl?.protocol === "https:");
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Stocktake", version: "1.0.0" },
      components: {
        securitySchemes: { [loginScheme]: { type: "apiKey", in: "cookie", name: loginCookie } },
      },
    },
    transform: jsonSchemaTransform,
  });
  await nameEpoch(app, context.database);
  refuseForeignOrigins(app, config.publicUrl);
  refuseWithoutRoom(app, context, readRoom);
  authenticateCalls(app, {
    findCaller: createCallerLookUp(context.database),
    findLoginEnd: (token) => findLoginEnd(context.database, token),
    clock: context.clock,
  });
  turns.takeOn(app);
  for (const routes of slices) routes(app, context);
  serveDescription(app);
  if (webRoot !== null) await serveWebApp(app, webRoot);
  return app;
}

/**
 * Bodies are JSON or nothing (docs/API.md, "Conventions"). An empty body under application/json is no body, because the
 * specification's calls without one send application/json all the same; any other type is refused with 415.
 */
function readJsonBodies(app: FastifyInstance, turns: CallTurns): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("remove", "remove");
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.trim() === "") return done(null, undefined);
    const read = () =>
      void parse(request, body, (error, value) => {
        if (error === null) done(null, value);
        else done(new ApiError("VALIDATION", "The request's body is not valid JSON."), undefined);
      });
    const turn = turns.forBody(request);
    if (turn === null) read();
    else turn.then(read, done);
  });
}
