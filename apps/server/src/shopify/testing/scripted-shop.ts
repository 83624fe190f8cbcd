import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request as it arrived. */
interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** What the server does with one request. */
export type Reply = (response: ServerResponse, request: Received) => void;

/** A server on a port of its own that sends each request the next reply it was given. */
export interface ScriptedShop {
  readonly url: string;
  readonly received: Received[];
  /** Replies for the requests to come, in their order. */
  will(...replies: Reply[]): void;
  /** Resolves once so many requests have arrived in all. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startScriptedShop(): Promise<ScriptedShop> {
  const received: Received[] = [];
  const replies: Reply[] = [];
  const waiting = new Set<{ count: number; resolve: () => void }>();
  const server = createServer(async (request, response) => {
    const arrival = { path: request.url ?? "", headers: request.headers, body: await textOf(request) };
    received.push(arrival);
    (replies.shift() ?? status(418))(response, arrival);
    for (const wait of waiting) if (wait.count <= received.length) wait.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    will: (...more) => void replies.push(...more),
    arrived: (count) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.add({ count, resolve })),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** Answers with a status, a body (JSON unless it is text) and headers. */
export function status(code: number, body: unknown = {}, headers: Record<string, string> = {}): Reply {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers }).end(text);
  };
}

export interface Throttle {
  requested?: number;
  maximum?: number;
  available?: number;
  restoreRate?: number;
}

/** The cost as every answer of the platform reports it. */
function cost({ requested = 10, maximum = 2000, available = 1990, restoreRate = 100 }: Throttle = {}) {
  const throttleStatus = { maximumAvailable: maximum, currentlyAvailable: available, restoreRate };
  return { cost: { requestedQueryCost: requested, actualQueryCost: requested, throttleStatus } };
}

/** A good answer. */
export function data(value: unknown, throttle?: Throttle): Reply {
  return status(200, { data: value, extensions: cost(throttle) });
}

/** A 200 whose top-level errors have these codes, without data. */
export function topLevel(code: string, throttle?: Throttle): Reply {
  return status(200, {
    errors: [{ message: `about ${code}`, extensions: { code } }],
    extensions: cost(throttle),
  });
}

/** Takes the request and never replies. */
export const hang: Reply = () => undefined;

/** Takes the request and breaks the connection off. */
export const breakOff: Reply = (response) => void response.socket?.destroy();

/** Begins an answer and never ends it. */
export const stallInBody: Reply = (response) => void response.writeHead(200).write('{"data":');

/** Sends the beginning of a body, then breaks the connection off. */
export function breakOffAfter(text: string): Reply {
  return (response) => {
    response.writeHead(200).write(text, () => response.socket?.destroy());
  };
}

/** Sends a file in pieces of so many bytes. */
export function file(text: string, pieceBytes = 7): Reply {
  return (response) => {
    const bytes = Buffer.from(text);
    response.writeHead(200);
    for (let at = 0; at < bytes.length; at += pieceBytes) response.write(bytes.subarray(at, at + pieceBytes));
    response.end();
  };
}
