import { once } from "node:events";
import { createServer } from "node:http";

// The floor of sending an answer: as many bytes as the path names, made beforehand. Run as a process of its own.
let body = Buffer.alloc(0);
const server = createServer((request, response) => {
  const bytes = Number(request.url?.slice(1));
  if (body.length !== bytes) body = Buffer.alloc(bytes, "x");
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": bytes });
  response.end(body);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
process.send?.(address === null || typeof address === "string" ? 0 : address.port);
process.once("SIGTERM", () => server.close());
