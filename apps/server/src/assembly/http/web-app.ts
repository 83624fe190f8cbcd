import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";

/**
 * Serves the built web app from `webRoot`. Hashed files are cached for a year, the page itself is revalidated each time;
 * a path that names no file is a screen of the app, a path under /api is an unknown call.
 */
export async function serveWebApp(app: FastifyInstance, webRoot: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    // The build wrote them beside the files; a file without one is compressed for each response.
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(webRoot, "assets"));
      reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  app.get<{ Params: { "*": string } }>("/*", { schema: { hide: true } }, async ({ params }, reply) => {
    const path = params["*"];
    if (/^api(?:\/|$)/.test(path)) return reply.callNotFound();
    // The page in the place of a script of an earlier build would only be misunderstood.
    if (path.startsWith("assets/")) throw new ApiError("NOT_FOUND", "There is no such file.");
    return reply.sendFile("index.html", { maxAge: 0, immutable: false });
  });
}
