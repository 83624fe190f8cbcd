import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

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
