import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort } from "./free-port.ts";
import { type ProductOptions, startProduct } from "./product.ts";

/** As the server behaves with a port: it ends where that is taken, once it has worked for a while, and greets where it listens. */
const program = `
  import { appendFileSync } from "node:fs";
  import { createServer } from "node:http";
  const port = Number(process.env.PORT);
  appendFileSync(process.env.DATA_DIR + "/ports", port + "\\n");
  await new Promise((resolve) => setTimeout(resolve, 300));
  const server = createServer((_request, response) => response.end("its own"));
  server.on("error", () => {
    console.error("Port " + port + " on 127.0.0.1 is already in use. Stop what uses it, or set PORT to another one.");
    process.exit(1);
  });
  if (process.env.TAKEN_ONCE && (await isFirst())) server.emit("error");
  server.listen(port, "127.0.0.1", () => console.log("Stocktake is running at http://127.0.0.1:" + port));
  async function isFirst() {
    const { readFileSync } = await import("node:fs");
    return readFileSync(process.env.DATA_DIR + "/ports", "utf8").trim().split("\\n").length === 1;
  }
`;

let dataDir: string;
let options: ProductOptions;
let stranger: Server;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "testkit-"));
  const serverProgram = join(dataDir, "server.mjs");
  await writeFile(serverProgram, program);
  options = { shopifyUrl: "http://127.0.0.1:9", adminPassword: "of-a-test", dataDir, serverProgram };
  stranger = createServer((_request, response) => response.end("a stranger's"));
});

afterEach(async () => {
  stranger.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function triedPorts(): Promise<number[]> {
  const lines = (await readFile(join(dataDir, "ports"), "utf8")).trim().split("\n");
  return lines.map(Number);
}

test("another server that answers on the port is not taken for the product", async () => {
  const port = await freePort();
  stranger.listen(port, "127.0.0.1");
  await once(stranger, "listening");
  await expect(startProduct({ ...options, port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is already in use`,
  );
});

test("where somebody else takes the port before the product listens, it is started on another one", async () => {
  const product = await startProduct({ ...options, environment: () => ({ TAKEN_ONCE: "yes" }) });
  const [taken, own] = await triedPorts();
  expect(own).not.toBe(taken);
  expect(product.url).toBe(`http://127.0.0.1:${own}`);
  expect(await (await fetch(product.url)).text()).toBe("its own");
  await product.stop();
});
