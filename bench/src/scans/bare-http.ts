import { once } from "node:events";
import { createServer } from "node:http";

// The floor of any HTTP server here: reads a POST, parses its JSON, responds. Run as a process of its own.
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const scan: { seq: number } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    response.writeHead(201, { "content-type": "application/json" });
    response.end(JSON.stringify({ seq: scan.seq, status: "counted" }));
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
process.send?.(address === null || typeof address === "string" ? 0 : address.port);
process.once("SIGTERM", () => server.close());
