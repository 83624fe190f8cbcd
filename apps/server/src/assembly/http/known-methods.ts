import type { FastifyInstance } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";

interface KnownRoute {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

/** What to refuse a request with that no route takes. */
export type Refusal = (method: string, path: string) => ApiError;

/**
 * Collects the routes that are registered after it. A request that none of them takes is refused with METHOD_NOT_ALLOWED where
 * its path belongs to a call with other methods, and with NOT_FOUND otherwise.
 */
export function collectRoutes(app: FastifyInstance): Refusal {
  const routes: KnownRoute[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    // The web app's own pages, behind a wildcard, are no calls.
    if (url.includes("*")) return;
    const pattern = new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`);
    routes.push({ pattern, methods: [method].flat() });
  });
  return (method, path) => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    // Where a call has the method, something in the path is too long to name anything.
    if (methods.length === 0 || methods.includes(method))
      return new ApiError("NOT_FOUND", `There is no call ${method} ${path}.`);
    const allowed = [...new Set(methods)].sort().join(", ");
    return new ApiError("METHOD_NOT_ALLOWED", `${path} is not called by ${method}, but by ${allowed}.`, {
      allow: allowed,
    });
  };
}
