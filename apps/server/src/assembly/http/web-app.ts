import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { ApiError } from "../../kernel/api-error.ts";
import { firstCallsOf } from "./first-calls.ts";

const PageHints = z.record(z.string(), z.string());

/**
 * Reads what the build says each page will load besides the start: a browser that is told with the page itself need not
 * run the first script to find out. Returns the Link header of a path, null where there is none.
 */
function readPageHints(webRoot: string): (path: string) => string | null {
  const file = join(webRoot, "page-hints.json");
  const hints = existsSync(file)
    ? Object.entries(PageHints.parse(JSON.parse(readFileSync(file, "utf8"))))
    : [];
  return (path) => hints.find(([address]) => path === address || path.startsWith(`${address}/`))?.[1] ?? null;
}

/** With credentials, as the web app's own calls are made (http/call.ts): else a browser does not take it for the same. */
function linkToCall(address: string): string {
  return `<${address}>; rel=preload; as=fetch; crossorigin=use-credentials`;
}

/** As a browser reads it: of a name that is there twice the first. */
function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at));
}

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
  const hintsOf = readPageHints(webRoot);
  app.get<{ Params: { "*": string } }>(
    "/*",
    { schema: { hide: true } },
    async ({ params, url, headers }, reply) => {
      const path = params["*"];
      if (/^api(?:\/|$)/.test(path)) return reply.callNotFound();
      // The page in the place of a script of an earlier build would only be misunderstood.
      if (path.startsWith("assets/")) throw new ApiError("NOT_FOUND", "There is no such file.");
      const calls = firstCallsOf(`/${path}`, queryOf(url), headers.cookie).map(linkToCall);
      const files = hintsOf(`/${path}`);
      reply.header("link", [...calls, ...(files === null ? [] : [files])].join(", "));
      return reply.sendFile("index.html", { maxAge: 0, immutable: false });
    },
  );
}
