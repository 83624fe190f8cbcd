import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Page } from "@playwright/test";

/** The product behind an address that can be told to serve a newer build of the app. */
export interface Deployment {
  readonly url: string;
  /** From now on the service worker differs by a byte, which is what browsers take for a new build. */
  deploy(): void;
  /** From now on the server has none of the files of the build that browsers have. */
  retireFiles(): void;
  close(): Promise<void>;
}

const workerPath = "/service-worker.js";

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

async function answerWorker(answer: IncomingMessage, response: ServerResponse, build: number): Promise<void> {
  const { "content-length": _length, etag: _etag, "last-modified": _modified, ...headers } = answer.headers;
  const code = await textOf(answer);
  response.writeHead(answer.statusCode ?? 502, headers).end(`${code}\n// ${build}`);
}

/** Starts a proxy in front of `productUrl` on a port of its own. */
export async function openDeployment(productUrl: string): Promise<Deployment> {
  let build = 0;
  let isRetired = false;
  const server = createServer((incoming, response) => {
    if (isRetired && incoming.url?.startsWith("/assets/") === true) {
      response.writeHead(404).end();
      return;
    }
    const { origin, "accept-encoding": _encoding, "if-none-match": _known, ...headers } = incoming.headers;
    delete headers["if-modified-since"];
    const sent = { ...headers, ...(origin === undefined ? {} : { origin: productUrl }) };
    const onward = request(new URL(incoming.url ?? "/", productUrl), {
      method: incoming.method,
      headers: sent,
    });
    onward.on("response", (answer) => {
      // A browser that goes away in the middle ends both, which is no fault of the test.
      answer.on("error", () => response.destroy());
      if (incoming.url === workerPath) {
        answerWorker(answer, response, build).catch(() => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    deploy() {
      build += 1;
    },
    retireFiles() {
      isRetired = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Has the browser look for a newer build, as it does by itself within a day. */
export async function looksForNewer(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const worker = registration.installing;
    if (worker === null) return;
    await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
  });
}
