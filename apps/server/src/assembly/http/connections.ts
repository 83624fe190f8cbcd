import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyServerOptions } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";
import { oneAtATime } from "./request-queue.ts";
import { endSlowReaders } from "./slow-readers.ts";

/** Long enough for a full batch of scans over a bad line, 1 MiB at 20 kB/s. */
const wholeRequestMs = 60_000;
/** Longer than the 25 s that a call may take, and than the pauses between two heartbeats of an event stream. */
const silenceMs = 120_000;
/** Longer than the minute for which proxies keep theirs, so that none sends into a connection being closed. */
const keepAliveMs = 72_000;

interface UnreadableRequestError extends Error {
  readonly code?: string;
}

/**
 * What came over the connection is no HTTP request that anything could be called with. A request that took too long
 * or has too large a head is refused by the status alone: the closed set has no code for either.
 */
function refuseUnreadable({ code }: UnreadableRequestError, socket: Socket): void {
  if (code === "ECONNRESET" || socket.destroyed) return;
  if (!socket.writable) socket.destroy();
  else if (code === "ERR_HTTP_REQUEST_TIMEOUT") end(socket, "408 Request Timeout");
  else if (code === "HPE_HEADER_OVERFLOW") end(socket, "431 Request Header Fields Too Large");
  else end(socket, "400 Bad Request", new ApiError("VALIDATION", "The request can't be read."));
}

function end(socket: Socket, status: string, error?: ApiError): void {
  const json = error === undefined ? "" : JSON.stringify(error.body);
  const head = [
    `HTTP/1.1 ${status}`,
    "Connection: close",
    ...(json === "" ? [] : ["Content-Type: application/json; charset=utf-8"]),
    `Content-Length: ${Buffer.byteLength(json)}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${json}`);
  socket.destroySoon();
}

/** With two Host headers a proxy and this server may each believe in another one. */
function refuseTwoHosts(handle: RequestListener): RequestListener {
  return (request, response) => {
    const names = request.rawHeaders.filter((_text, index) => index % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === "host").length <= 1) return handle(request, response);
    end(request.socket, "400 Bad Request", new ApiError("VALIDATION", "The request has two Host headers."));
  };
}

function createBoundedServer(handle: RequestListener): Server {
  const server = createServer(
    { requestTimeout: wholeRequestMs, keepAliveTimeout: keepAliveMs },
    oneAtATime(refuseTwoHosts(handle)),
  );
  server.setTimeout(silenceMs);
  endSlowReaders(server);
  return server;
}

/**
 * Nobody holds a connection by sending a request drop by drop, by reading nothing of the response, or by sending request after
 * request without reading.
 */
export const connectionOptions = {
  serverFactory: createBoundedServer,
  clientErrorHandler: refuseUnreadable,
} satisfies FastifyServerOptions;

/**
 * Lets requests under way finish when the app closes, and ends every connection as soon as it has none: browsers open
 * some that they never use, and Node waits a minute for those.
 */
export function closeConnectionsWithoutRequests(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  const busy = new Set<Socket>();
  let closing = false;

  app.server.on("connection", (socket: Socket) => {
    if (closing) return void socket.destroy();
    connections.add(socket);
    socket.once("close", () => {
      connections.delete(socket);
      busy.delete(socket);
    });
  });
  app.server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.add(socket);
    response.once("close", () => {
      busy.delete(socket);
      if (closing) socket.destroySoon();
    });
  });
  app.addHook("preClose", async () => {
    closing = true;
    for (const socket of connections) if (!busy.has(socket)) socket.destroy();
  });
}
