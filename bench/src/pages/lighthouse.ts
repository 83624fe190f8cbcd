import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/** Lighthouse is a package of its own beside the workspaces, with its own lock file: see the decision on it. */
const folder = fileURLToPath(new URL("../../lighthouse/", import.meta.url));
const program = join(folder, "measure.js");

const Timing = z.object({ numericValue: z.number() });

const Result = z.object({
  runtimeError: z.optional(z.object({ message: z.string() })),
  finalDisplayedUrl: z.string(),
  categories: z.object({ performance: z.object({ score: z.number() }) }),
  audits: z.object({
    "first-contentful-paint": Timing,
    "largest-contentful-paint": Timing,
    "speed-index": Timing,
    "total-blocking-time": Timing,
    "cumulative-layout-shift": Timing,
    "network-requests": z.object({
      details: z.object({
        items: z.array(
          z.object({ url: z.string(), resourceType: z.optional(z.string()), transferSize: z.number() }),
        ),
      }),
    }),
  }),
});

/** What one run of Lighthouse's mobile preset found; times in milliseconds, sizes in bytes as sent. */
export interface PageResult {
  readonly score: number;
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly speedIndex: number;
  readonly blocked: number;
  readonly layoutShift: number;
  /** Of the page's own files: document, scripts, styles, fonts and pictures, not the answers of calls. */
  readonly bytes: number;
  readonly files: number;
}

async function run(command: string, parameters: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, parameters, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("exit", resolve);
  });
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")} ended with ${status}.`);
}

/** Installs Lighthouse where it is not there yet. Its packages run no scripts of their own. */
export async function installLighthouse(): Promise<void> {
  if (!existsSync(join(folder, "node_modules/lighthouse")))
    await run("npm", ["ci", "--ignore-scripts"], folder);
}

function read(text: string, address: string): PageResult {
  const { runtimeError, finalDisplayedUrl, categories, audits } = Result.parse(JSON.parse(text));
  if (runtimeError !== undefined) throw new Error(`${address}: ${runtimeError.message}`);
  if (new URL(finalDisplayedUrl).pathname !== new URL(address).pathname)
    throw new Error(`${address} led to ${finalDisplayedUrl}.`);
  const files = audits["network-requests"].details.items.filter(
    ({ url, transferSize }) => !new URL(url).pathname.startsWith("/api/") && transferSize > 0,
  );
  return {
    score: Math.round(100 * categories.performance.score),
    firstPaint: audits["first-contentful-paint"].numericValue,
    largestPaint: audits["largest-contentful-paint"].numericValue,
    speedIndex: audits["speed-index"].numericValue,
    blocked: audits["total-blocking-time"].numericValue,
    layoutShift: audits["cumulative-layout-shift"].numericValue,
    bytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0),
    files: files.length,
  };
}

interface Visit {
  readonly address: string;
  /** On which the browser listens. */
  readonly port: number;
  /** Whether a tab shows the address already and is to be loaded again, with what its history entry holds. */
  readonly again: boolean;
  /** A file in which Lighthouse's whole result is left. */
  readonly kept: string | null;
}

/**
 * Loads an address with the person signed in who is signed in there, an empty cache and no service worker; one that is loaded
 * again with the browser's cache. Throws where another page is shown in the end; a page may complete its own address.
 */
export async function measurePage({ address, port, again, kept }: Visit): Promise<PageResult> {
  const place = await mkdtemp(join(tmpdir(), "stocktake-lighthouse-"));
  const file = kept ?? join(place, "result.json");
  try {
    await run(process.execPath, [program, String(port), address, file, ...(again ? ["reload"] : [])], folder);
    return read(await readFile(file, "utf8"), address);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
