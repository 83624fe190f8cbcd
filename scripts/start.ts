import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * `npm start`: runs the built server, and where no Shopify is configured, the emulator with the demo shop beside it.
 * Its state lies in the data folder, so a second start finds its shop again.
 */

const serverProgram = fileURLToPath(new URL("../apps/server/dist/main.js", import.meta.url));
const emulatorProgram = fileURLToPath(new URL("../apps/shopify-emulator/dist/main.js", import.meta.url));
const demoShop = "linden-quay-demo.myshopify.com";
const demoToken = "shpat_emulator";
const portFile = "port";
/** What the server prints once it has the data folder for itself and takes requests. */
const serverIsUp = "Stocktake is running at ";

/** The two programs, which live and end together. */
class Programs {
  private readonly children: ChildProcess[] = [];
  private stopping = false;
  private exitCode = 0;

  add(child: ChildProcess, name: string): ChildProcess {
    this.children.push(child);
    child.once("error", (error) => this.childEnded(name, 1, `could not be started: ${error.message}`));
    child.once("exit", (code, signal) => this.childEnded(name, code ?? 1, `ended (${signal ?? code})`));
    return child;
  }

  /** Asks the server to end, which takes the time it needs; the emulator ends after it. */
  stop(signal: NodeJS.Signals): void {
    this.stopping = true;
    this.living()[0]?.kill(signal);
  }

  private childEnded(name: string, code: number, what: string): void {
    if (!this.stopping) {
      this.exitCode = code === 0 ? 1 : code;
      if (this.living().length > 0)
        process.stderr.write(`The ${name} ${what}; everything else is stopped.\n`);
    }
    if (this.living().length > 0) this.stop("SIGTERM");
    else process.exit(this.exitCode);
  }

  private living(): ChildProcess[] {
    return this.children.filter(
      ({ pid, exitCode, signalCode }) => pid !== undefined && exitCode === null && signalCode === null,
    );
  }
}

function isShopifyConfigured(): boolean {
  return Object.entries(process.env).some(
    ([name, value]) => name.startsWith("SHOPIFY_") && value !== undefined && value.trim() !== "",
  );
}

function dataFolder(): string {
  return resolve(process.env.DATA_DIR?.trim() || "data");
}

function portIsFree(port: number): Promise<number | null> {
  return new Promise((settle) => {
    const probe = createServer();
    probe.once("error", () => settle(null));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      const found = typeof address === "object" && address !== null ? address.port : null;
      probe.close(() => settle(found));
    });
  });
}

/** The port of the last time where it is free: the addresses of the demo's pictures are stored with the sessions. */
async function emulatorPort(folder: string): Promise<number> {
  const last = Number(await readFile(join(folder, portFile), "utf8").catch(() => "0"));
  const port = (last > 0 ? await portIsFree(last) : null) ?? (await portIsFree(0));
  if (port === null) throw new Error("There is no free port on 127.0.0.1 for the demo shop.");
  return port;
}

function startServer(programs: Programs, environment: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [serverProgram], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return programs.add(child, "server");
}

async function startEmulator(programs: Programs, port: number, folder: string): Promise<void> {
  await writeFile(join(folder, portFile), String(port));
  const args = ["--port", String(port), "--state", join(folder, "state.jsonl")];
  const child = spawn(process.execPath, [emulatorProgram, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  programs.add(child, "demo shop");
}

/** Passes on what the server prints, and calls back once it is up. */
function passOn(server: ChildProcess, isUp: () => void): void {
  if (server.stdout === null) return;
  createInterface({ input: server.stdout }).on("line", (line) => {
    process.stdout.write(`${line}\n`);
    if (line.startsWith(serverIsUp)) isUp();
  });
}

async function startWithDemoShop(programs: Programs): Promise<void> {
  process.stdout.write("No Shopify shop is configured, so a demo shop runs beside the server.\n");
  const folder = join(dataFolder(), "shopify-emulator");
  await mkdir(folder, { recursive: true });
  const port = await emulatorPort(folder);
  const server = startServer(programs, {
    SHOPIFY_SHOP: demoShop,
    SHOPIFY_ACCESS_TOKEN: demoToken,
    SHOPIFY_API_URL: `http://127.0.0.1:${port}`,
  });
  // Only after the server: it makes sure that nobody else works on the data folder.
  passOn(server, () => void startEmulator(programs, port, folder));
}

const programs = new Programs();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => programs.stop("SIGTERM"));
if (isShopifyConfigured()) passOn(startServer(programs, {}), () => undefined);
else await startWithDemoShop(programs);
