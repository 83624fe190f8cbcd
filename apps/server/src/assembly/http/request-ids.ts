import { randomUUID } from "node:crypto";
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from "fastify";

/** Every log line of a request carries its id; that there was a request is no line of its own. */
export const requestIdOptions = {
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
  genReqId: () => randomUUID(),
} satisfies FastifyServerOptions;

/** Who reports a failure can name it: the id is on the answer and in the log. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
}

export function nameRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    nameRequest(request, reply);
    done();
  });
}
