import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** The proxy before several nodes: each request goes to the next of them. */
export interface RoundRobin {
  readonly url: string;
  /** How often it has passed on each status; 502 where no node took a request, or one went away with it. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How many requests each node has answered, by its URL. */
  readonly answers: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Resolves to false where the node did not take the request at all, so that another may have it. */
async function pass(node: string, incoming: IncomingMessage, body: Buffer, response: ServerResponse) {
  const outgoing = request(new URL(incoming.url ?? "/", node), {
    method: incoming.method,
    headers: { ...incoming.headers, host: new URL(node).host },
  });
  outgoing.end(body);
  const answered = once(outgoing, "response");
  const answer: IncomingMessage | null = await answered.then(
    ([message]) => message,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") return null;
      throw error;
    },
  );
  if (answer === null) return false;
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
  answer.on("error", () => response.destroy());
  return true;
}

/** A proxy for the given nodes' URLs, which may be asked anew at each request. */
export async function startRoundRobin(nodes: () => readonly string[]): Promise<RoundRobin> {
  let turn = 0;
  const statuses: Record<string, number> = {};
  const answers: Record<string, number> = {};
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(incoming);
    const all = nodes();
    turn += 1;
    for (let tried = 0; tried < all.length; tried += 1) {
      const node = all[(turn + tried) % all.length] ?? "";
      if (!(await pass(node, incoming, body, response))) continue;
      answers[node] = (answers[node] ?? 0) + 1;
      return;
    }
    throw new Error("No node takes requests.");
  };
  const server = createServer((incoming, response) => {
    response.on("finish", () => {
      statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
    });
    serve(incoming, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    statuses,
    answers,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
