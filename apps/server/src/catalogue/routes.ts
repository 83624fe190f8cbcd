import { createGunzip } from "node:zlib";
import { listPacks, productMap, savePacks } from "@stocktake/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { route } from "../kernel/route.ts";
import { requireStore } from "../stores/stores.ts";
import { listPackCodes } from "./packs/list-packs.ts";
import { savePackCodes } from "./packs/save-packs.ts";
import type { PreparedMap } from "./products.ts";
import type { CatalogueServices } from "./services.ts";

export function catalogueRoutes(app: FastifyInstance, services: CatalogueServices): void {
  mapRoute(app, services);
  route(app, listPacks, async ({ query }) => {
    const { items: packs, ...page } = await listPackCodes(services.database, query);
    return { packs, ...page };
  });
  route(app, savePacks, async ({ caller, body }) => savePackCodes(services, caller, body.packs));
}

function mapRoute(app: FastifyInstance, { database, catalogue }: CatalogueServices): void {
  route(app, productMap, async ({ caller, query, request, reply }) => {
    await requireStore(database, caller, query.storeId);
    const map = await catalogue.map(query.storeId);
    reply.headers({ etag: map.etag, "cache-control": "private, no-cache", vary: "accept-encoding, cookie" });
    if (names(request.headers["if-none-match"], map.etag)) return reply.code(304).send();
    return sendMap(reply, map, request.headers["accept-encoding"]);
  });
}

/**
 * Whether an If-None-Match names the ETag. Compared weakly (RFC 9110, 13.1.2), and without the suffix that some
 * proxies add to the ETag of what they compressed.
 */
export function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => bareTag(candidate) === bareTag(etag));
}

function bareTag(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"|"$/g, "")
    .replace(/-(?:gzip|br|deflate|zstd)$/, "");
}

/** As it is kept; uncompressed only for whoever takes nothing else, which no browser does. */
function sendMap(reply: FastifyReply, map: PreparedMap, acceptEncoding: string | undefined): FastifyReply {
  reply.type("application/json; charset=utf-8");
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(acceptEncoding ?? "")) {
    const plain = createGunzip();
    plain.end(map.gzip);
    return reply.send(plain);
  }
  return reply.header("content-encoding", "gzip").send(map.gzip);
}
