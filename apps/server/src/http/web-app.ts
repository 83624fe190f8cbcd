import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ApiError } from "./api-error.ts";

/**
 * Serves the built web app from `webRoot`. Hashed files are kept for a year, the page itself is asked for each time;
 * a path that names no file is a screen of the app, a path under /api is an unknown call.
 */
export async function serveWebApp(app: FastifyInstance, webRoot: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(webRoot, "assets"));
      reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  app.get("/*", { schema: { hide: true } }, async (request, reply) => {
    if (request.url === "/api" || request.url.startsWith("/api/")) {
      throw new ApiError("NOT_FOUND", "There is no such call.");
    }
    return reply.sendFile("index.html", { maxAge: 0, immutable: false });
  });
}
