import type { FastifyInstance } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";

/**
 * Bodies are JSON or nothing (contract, "Conventions"). An empty body under application/json is no body, because the
 * specification's calls without one say application/json all the same; any other type is refused with 415.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("remove", "remove");
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.trim() === "") done(null, undefined);
    else
      parse(request, body, (error, value) => {
        if (error === null) done(null, value);
        else done(new ApiError("VALIDATION", "The request's body is not valid JSON."), undefined);
      });
  });
}
