import { once } from "node:events";
import { mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { buildApp } from "../app.ts";
import { allSlices } from "../slices.ts";
import { limitConnections } from "./connection-limits.ts";
import { oneAtATime } from "./request-queue.ts";
import { endSlowReaders, takenOf } from "./slow-readers.ts";

const file = "/large.js";
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  return address.port;
}

/** A client that reads nothing by itself; that the server ends it is no error of its own. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, "connect");
  return socket;
}

async function closed(socket: Socket): Promise<void> {
  // A socket whose end is never read is not told to be closed.
  socket.resume();
  if (!socket.closed) await once(socket, "close");
}

describe("files asked for without being read", () => {
  let server: TestServer;
  let folder: string;
  let port: number;
  let floodedServer: Server;
  let close: () => Promise<void>;

  beforeAll(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), "stocktake-web-"));
    await writeFile(join(folder, "index.html"), "<!doctype html><title>Stocktake</title>");
    await writeFile(join(folder, file), "x".repeat(2_000_000));
    const app = await buildApp(server.context, allSlices, folder);
    port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
    floodedServer = app.server;
    close = () => app.close();
  });
  afterAll(async () => {
    await close();
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** How often the server has the file open. */
  const openFiles = async () => {
    const names = await readdir("/proc/self/fd");
    const targets = await Promise.all(
      names.map((name) => readlink(join("/proc/self/fd", name)).catch(() => "")),
    );
    return targets.filter((target) => target === join(folder, file)).length;
  };

  test("leave no file open, a thousand over one connection as little as one over each of many", async () => {
    for (let round = 0; round < 10; round += 1) {
      const flood = await open(port);
      flood.write(get(file).repeat(1000));
      const others = await Promise.all(Array.from({ length: 10 }, () => open(port)));
      for (const other of others) other.write(get(file));
      await Promise.all(others.map((other) => once(other, "readable")));
      for (const socket of [flood, ...others]) socket.destroy();
    }
    await vi.waitFor(async () => expect(await openFiles()).toBe(0));
  });

  /** Opens so many connections, each of which asks so many times at once; gives the server's ends of them. */
  async function flood(count: number, requests: number): Promise<Socket[]> {
    const ends: Socket[] = [];
    const note = (socket: Socket) => ends.push(socket);
    floodedServer.on("connection", note);
    const clients = await Promise.all(Array.from({ length: count }, () => open(port)));
    await vi.waitFor(() => expect(ends).toHaveLength(count));
    floodedServer.off("connection", note);
    for (const client of clients) client.write(get(file).repeat(requests));
    return ends;
  }

  const isHonestVisitorServed = async () => (await fetch(`http://127.0.0.1:${port}/api/health`)).status;

  test("are ended where two hundred connections ask thirty times each, and somebody honest is served", async () => {
    const ends = await flood(200, 30);
    expect(await isHonestVisitorServed()).toBe(200);
    await vi.waitFor(() => expect(ends.filter(({ destroyed }) => !destroyed)).toEqual([]));
    await vi.waitFor(async () => expect(await openFiles()).toBe(0));
  });

  test("wait for their reader a piece each, over two hundred connections that ask as often as they may", async () => {
    const ends = await flood(200, 5);
    await vi.waitFor(() => expect(ends.filter(({ bytesWritten }) => bytesWritten === 0)).toEqual([]));
    expect(await isHonestVisitorServed()).toBe(200);
    expect(await openFiles()).toBeLessThanOrEqual(ends.length);
    const held = ends.reduce((sum, { writableLength }) => sum + writableLength, 0);
    expect(held).toBeLessThan(ends.length * 256 * 1024);
    for (const end of ends) end.destroy();
    await vi.waitFor(async () => expect(await openFiles()).toBe(0));
  });
});

describe("requests that do not wait for the response before them", () => {
  /** A server that records which paths it was asked for, and responds when it is told to. */
  async function recording() {
    const asked: string[] = [];
    const responses: (() => void)[] = [];
    const server = createServer(
      oneAtATime(({ url = "" }, response) => {
        asked.push(url);
        responses.push(() => response.end(url));
      }),
    );
    return { port: await listen(server), asked, respond: () => responses.shift()?.() };
  }

  test("are handled one at a time, in their order", async () => {
    const { port, asked, respond } = await recording();
    const client = await open(port);
    client.write(get("/1") + get("/2") + get("/3"));
    for (const expected of [["/1"], ["/1", "/2"], ["/1", "/2", "/3"]]) {
      await vi.waitFor(() => expect(asked).toEqual(expected));
      respond();
    }
    let text = "";
    client.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    await vi.waitFor(() => expect(text.match(/^\/\d/gm)).toEqual(["/1", "/2", "/3"]));
  });

  test("end the connection when there are many of them, and only the first was begun", async () => {
    const { port, asked } = await recording();
    const client = await open(port);
    client.write(get("/").repeat(30));
    await closed(client);
    expect(asked).toEqual(["/"]);
  });
});

/** More than the system takes by itself on both ends of a connection. */
const largePiece = Buffer.alloc(40_000_000);

describe("a client that does not read", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A server under the limit, a client that has asked it, and the server's end of the connection. */
  async function asking(respond: RequestListener) {
    const server = createServer(respond);
    endSlowReaders(server);
    const port = await listen(server);
    const accepted: Promise<Socket[]> = once(server, "connection");
    const client = await open(port);
    const [socket] = await accepted;
    if (socket === undefined) throw new Error("Nothing was accepted.");
    client.write(get("/"));
    return { client, socket };
  }

  test("is cut off after half a minute", async () => {
    const { client, socket } = await asking((_request, response) => {
      // Written piece by piece as it is taken, as files and reports are.
      const more = () => {
        while (response.write(Buffer.alloc(16_384)));
        response.once("drain", more);
      };
      more();
    });
    await once(client, "readable");
    await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0));
    vi.advanceTimersByTime(30_000);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(15_000);
    expect(socket.destroyed).toBe(true);
  });

  test("is cut off as soon where all of a large response waits in one piece", async () => {
    const { client, socket } = await asking((_request, response) => void response.end(largePiece));
    await once(client, "readable");
    vi.advanceTimersByTime(45_000);
    expect(socket.destroyed).toBe(true);
  });

  test("keeps its connection as long as it goes on reading, though no piece is ever taken whole", async () => {
    const { client, socket } = await asking((_request, response) => void response.end(largePiece));
    await once(client, "readable");
    for (let read = 0; read < 6; read += 1) {
      const before = takenOf(socket);
      await vi.waitFor(() => {
        client.read();
        expect(takenOf(socket)).toBeGreaterThan(before);
      });
      vi.advanceTimersByTime(25_000);
      expect(socket.destroyed).toBe(false);
    }
    expect(socket.writableLength).toBeGreaterThan(largePiece.length / 2);
  });

  test("keeps its connection where there is nothing to read", async () => {
    const { client, socket } = await asking((_request, response) => void response.end("here"));
    await once(client, "data");
    await vi.waitFor(() => expect(socket.writableLength).toBe(0));
    vi.advanceTimersByTime(600_000);
    expect(socket.destroyed).toBe(false);
  });
});

describe("connections", () => {
  test.each([
    ["in all", { total: 2, perAddress: null }],
    ["from one address", { total: 100, perAddress: 2 }],
  ])("above the number that may be open %s are closed, until another one ends", async (_name, limits) => {
    const server = createServer((_request, response) => void response.end("here"));
    const warn = vi.fn();
    const logger = Object.assign(Object.create(null), { warn });
    limitConnections(server, limits, logger);
    const port = await listen(server);
    const [first] = [await open(port), await open(port)];
    await closed(await open(port));
    expect(warn).toHaveBeenCalledOnce();
    first?.destroy();
    await vi.waitFor(async () => {
      const next = await open(port);
      next.write(get("/"));
      const [data] = await Promise.race([once(next, "data"), once(next, "close").then(() => [""])]);
      expect(String(data)).toContain("here");
    });
  });
});
