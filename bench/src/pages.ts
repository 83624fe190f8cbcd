import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmulator } from "@stocktake/shopify-emulator";
import { ApiClient, startProduct } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import { countAndEnd } from "./pages/count.ts";
import { installLighthouse, measurePage, type PageResult } from "./pages/lighthouse.ts";
import { openArea, openPerson, type Person, seeDashboard } from "./pages/people.ts";
import { beginSession, inviteCounter, openStore } from "./rehearsal/store-floor.ts";
import { median } from "./times.ts";

/**
 * `npm run bench:pages [-- --runs N --only PATH,PATH --keep FOLDER]`: Lighthouse's mobile preset (a middling phone on a slow
 * 4G network, simulated) on the built product, in the Chromium of the browser tests: the medians of some runs of each page
 * beside the aims. What is loaded is loaded with an empty cache and no service worker; only /counter/scan, whose open area is in
 * its tab, is loaded again with what the browser has kept.
 */

const adminPassword = "a password for the bench";
const [counted, open] = ["A1", "A2"] as const;
const aims = { score: 95, largestPaint: 1_800, layoutShift: 0.02 };

type Who = "stranger" | "counter" | "admin";

const scanPage = "/counter/scan";

const pages: readonly { readonly path: string; readonly who: Who }[] = [
  { path: "/login", who: "stranger" },
  { path: "/counter", who: "counter" },
  { path: scanPage, who: "counter" },
  { path: "/admin", who: "admin" },
  { path: "/admin/reports", who: "admin" },
];

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function lineOf(path: string, results: readonly PageResult[]): string {
  const of = (figure: keyof PageResult) => median(results.map((result) => result[figure]));
  const seconds = (figure: "firstPaint" | "largestPaint" | "speedIndex") =>
    `${(of(figure) / 1_000).toFixed(2)} s`;
  const parts = [
    `performance ${of("score")} (aim ${aims.score})`,
    `first paint ${seconds("firstPaint")}`,
    `largest ${seconds("largestPaint")} (aim ${aims.largestPaint / 1_000} s)`,
    `speed index ${seconds("speedIndex")}`,
    `blocked ${Math.round(of("blocked"))} ms`,
    `layout shift ${of("layoutShift").toFixed(3)} (aim ${aims.layoutShift})`,
    `${(of("bytes") / 1_000).toFixed(0)} kB in ${of("files")} files`,
  ];
  return `${path}: ${parts.join(", ")}`;
}

interface Order {
  readonly runs: number;
  readonly only: readonly string[] | null;
  readonly keep: string | null;
}

async function measureAll(url: string, people: Record<Who, Person>, order: Order): Promise<void> {
  for (const { path, who } of pages) {
    if (order.only !== null && !order.only.includes(path)) continue;
    // The open area is in the tab's history entry, so that this page is loaded again.
    const again = path === scanPage;
    if (again) await openArea(people[who], url, open);
    const results: PageResult[] = [];
    for (let run = 1; run <= order.runs; run += 1) {
      const name = `${path.slice(1).replaceAll("/", "-")}-${run}.json`;
      const kept = order.keep === null ? null : join(order.keep, name);
      results.push(await measurePage({ address: url + path, port: people[who].port, again, kept }));
    }
    print(lineOf(path, results));
  }
}

/** A store with one session that has ended and one that is being counted. */
async function setScene(url: string, shopUrl: string): Promise<{ admin: ApiClient; counter: ApiClient }> {
  const admin = new ApiClient(url);
  const store = await openStore(admin, adminPassword, [counted, open]);
  await countAndEnd(admin, await beginSession(admin, store), counted, shopUrl);
  const counter = await inviteCounter(admin, await beginSession(admin, store), "bench");
  return { admin, counter };
}

async function run(url: string, shopUrl: string, order: Order): Promise<void> {
  const { admin, counter } = await setScene(url, shopUrl);
  const people = {
    stranger: await openPerson(url, null),
    counter: await openPerson(url, counter),
    admin: await openPerson(url, admin),
  };
  try {
    // Each has been here before, as whoever opens these pages has.
    await people.admin.page.goto(`${url}/admin`);
    await people.admin.page.getByText("Welcome, admin!").waitFor();
    await seeDashboard(people.counter, url);
    for (const { page } of Object.values(people)) await page.goto("about:blank");
    print(`${machineText()}, ${loadText()}, medians of ${order.runs}:`);
    await measureAll(url, people, order);
  } finally {
    for (const person of Object.values(people)) await person.close();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "3" },
      only: { type: "string" },
      keep: { type: "string" },
    },
  });
  await installLighthouse();
  const emulator = await startEmulator();
  const product = await startProduct({ shopifyUrl: emulator.url, adminPassword });
  try {
    await run(product.url, emulator.url, {
      runs: Number(values.runs),
      only: values.only?.split(",") ?? null,
      keep: values.keep ?? null,
    });
  } finally {
    await product.stop();
    await emulator.close();
  }
}

await main();
