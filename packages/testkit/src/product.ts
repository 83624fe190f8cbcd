import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";

const ownProgram = fileURLToPath(new URL("../../../apps/server/dist/main.js", import.meta.url));
const startWithinMs = 60_000;
const stopWithinMs = 30_000;

export interface ProductOptions {
  /** The emulator's (or another Shopify stand-in's) URL. */
  readonly shopifyUrl: string;
  readonly adminPassword: string;
  /** Kept after the end where given; else a folder of its own that goes with the product. */
  readonly dataDir?: string;
  /** Further configuration; the product's own URL is known by then. */
  readonly environment?: (url: string) => Readonly<Record<string, string>>;
  readonly port?: number;
  /** The server's program, beside whose folder lies the web app that it serves; this tree's build unless told. */
  readonly serverProgram?: string;
}

/** The built product as a process of its own, with its embedded PostgreSQL. */
export interface Product {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Everything the product has printed, for a message when something went wrong. */
  output(): string;
  stop(): Promise<void>;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}

/** It could not listen, as something else had taken the port since that was looked for. */
class PortTakenError extends Error {}

/** What it prints once it listens itself: on its port somebody else's server may answer that it is ready. */
const greeting = "Stocktake is running at ";

function endOf(child: ChildProcess, output: string): Error {
  const message = `The product ended with ${child.exitCode ?? child.signalCode}:\n${output}`;
  return output.includes("is already in use.") ? new PortTakenError(message) : new Error(message);
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + startWithinMs;
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw endOf(child, output());
    if (!output().includes(greeting)) {
      await pause();
      continue;
    }
    const ready = await fetch(`${url}/api/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await pause();
  }
  throw new Error(`The product was not ready within ${startWithinMs} ms:\n${output()}`);
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const killTimeout = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
  await ended;
  clearTimeout(killTimeout);
}

/** Only what a program needs to run at all: the configuration of whoever runs the tests stays out. */
function bareEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR", "TZ", "LANG", "SystemRoot", "TEMP"];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Starts the built server (`npm run build` first) on a free port and waits until it is ready.
 * @throws Error with what the product printed when it does not become ready.
 */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "stocktake-")));
  if (options.port !== undefined) return startOn(options.port, dataDir, options);
  for (;;) {
    try {
      return await startOn(await freePort(), dataDir, options);
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
    }
  }
}

async function startOn(port: number, dataDir: string, options: ProductOptions): Promise<Product> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [options.serverProgram ?? ownProgram], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...bareEnvironment(),
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: options.adminPassword,
      SHOPIFY_SHOP: "stocktake-demo.myshopify.com",
      SHOPIFY_ACCESS_TOKEN: "shpat_emulator",
      SHOPIFY_API_URL: options.shopifyUrl,
      ...options.environment?.(url),
    },
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => printed.push(text));
  }
  const output = () => printed.join("");
  await waitUntilReady(url, child, output);
  const stop = async () => {
    await endProcess(child);
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return { url, dataDir, process: child, output, stop };
}
