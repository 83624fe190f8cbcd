import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { BulkFile, BulkOperations } from "../bulk/operations.ts";
import { ControlError } from "../control/fields.ts";
import type { Faults } from "../faults.ts";
import { garmentDrawing } from "../seeds/drawings.ts";
import type { Store } from "../store.ts";
import type { AdminApi } from "./admin-api.ts";
import { jsonReply, type Reply, readBody } from "./exchange.ts";
import type { Tokens } from "./tokens.ts";

export interface Routes {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly bulk: BulkOperations;
  readonly adminApi: AdminApi;
  readonly runCommand: (name: string, input: unknown) => Promise<unknown>;
}

/** What became of a request: a reply to send, null to destroy the connection, or sent already. */
type Routed = Reply | "sent" | null;

const GRAPHQL_PATH = "/admin/api/2026-10/graphql.json";

async function grantToken({ tokens, faults }: Routes, request: IncomingMessage): Promise<Reply | null> {
  const body = await readBody(request);
  const effect = faults.consume({ operation: "accessToken", fields: [], kind: "query" });
  if (effect?.kind === "lost") return null;
  if (effect?.kind === "status") return jsonReply({ errors: "Internal Server Error" }, effect.status);
  return tokens.grant(request.headers["content-type"], body);
}

/** A bulk result; a fault cuts it off in the middle. */
async function sendBulkResult(
  { faults }: Routes,
  file: BulkFile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Routed> {
  const effect = faults.consume({ operation: "bulkDownload", fields: [], kind: "query" });
  if (effect?.kind === "lost" && effect.when === "before") return null;
  if (effect?.kind === "status") return jsonReply({ errors: "Internal Server Error" }, effect.status);
  response.writeHead(200, { "Content-Type": "application/jsonl", "Content-Length": file.size });
  if (request.method === "HEAD") response.end();
  else if (effect?.kind === "lost") await cutOff(file, response);
  else await pipeline(Readable.from(file.chunks), response);
  return "sent";
}

async function cutOff(file: BulkFile, response: ServerResponse): Promise<void> {
  const half = Buffer.concat(file.chunks).subarray(0, file.size >> 1);
  await new Promise<void>((resolve) => response.write(half, () => resolve()));
  response.destroy();
}

function productImage({ store }: Routes, handle: string): Reply {
  const product = [...store.products.values()].find((candidate) => candidate.handle === handle);
  if (product?.image?.kind !== "drawing") return jsonReply({ errors: "Not Found" }, 404);
  return {
    status: 200,
    body: garmentDrawing(product.image.garment, product.image.colour),
    headers: {
      "Content-Type": "image/svg+xml",
      "Cache-Control": "public, max-age=3600",
      "Access-Control-Allow-Origin": "*",
    },
  };
}

/** Controls need a JSON body, which a page of another site cannot send without asking first. */
async function control({ runCommand }: Routes, name: string, request: IncomingMessage): Promise<Reply> {
  try {
    if (!request.headers["content-type"]?.startsWith("application/json")) {
      throw new ControlError(415, "Controls take application/json.");
    }
    return jsonReply(await runCommand(name, JSON.parse(await readBody(request))));
  } catch (error) {
    if (error instanceof ControlError) return jsonReply({ error: error.message }, error.status);
    if (error instanceof SyntaxError) return jsonReply({ error: "The body is not JSON." }, 400);
    throw error;
  }
}

/** Finds who handles a request. */
export async function route(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Routed> {
  const { pathname } = new URL(request.url ?? "/", "http://emulator");
  const [, area = "", name = "", rest] = pathname.split("/");
  if (request.method === "POST" && pathname === GRAPHQL_PATH)
    return routes.adminApi.handle(request, response);
  if (request.method === "POST" && pathname === "/admin/oauth/access_token")
    return grantToken(routes, request);
  if (request.method === "POST" && area === "emulator" && rest === undefined)
    return control(routes, name, request);
  if (request.method === "GET" && area === "images" && name.endsWith(".svg")) {
    return productImage(routes, decodeURIComponent(name.slice(0, -".svg".length)));
  }
  const file = area === "bulk" ? routes.bulk.file(name) : null;
  if (file) return sendBulkResult(routes, file, request, response);
  return jsonReply({ errors: "Not Found" }, 404);
}
