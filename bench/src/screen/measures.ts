import type { CDPSession, Page } from "playwright-core";
import type { EnterTimes, PageRecord } from "./probe.ts";
import { barcodeAt } from "./stand-in.ts";
import { taskTimes } from "./task-times.ts";

/** Figures of one measure, each with its aim in milliseconds where it has one. */
export interface Figure {
  readonly name: string;
  readonly values: readonly number[];
  readonly aim?: number;
}

function at(values: readonly number[], share: number): string {
  const sorted = values.toSorted((left, right) => left - right);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? "-" : value.toFixed(1);
}

/** One line: the middle, the twentieth from the top, the worst, and the aim. */
export function lineOf({ name, values, aim }: Figure): string {
  const figures = `p50 ${at(values, 0.5)}, p95 ${at(values, 0.95)}, worst ${at(values, 1)} ms`;
  return `  ${`${name}:`.padEnd(44)} ${figures}${aim === undefined ? "" : ` (aim ${aim})`}`;
}

async function recordOf(page: Page): Promise<PageRecord> {
  const record = await page.evaluate(() => window.pageRecord);
  if (record === undefined) throw new Error("The page has no probe.");
  return record;
}

/** Empties what the page recorded so far. */
export async function forget(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (window.pageRecord === undefined) return;
    window.pageRecord.enters = [];
    window.pageRecord.keys = [];
    window.pageRecord.longTasks = [];
    window.pageRecord.workersEnded = 0;
  });
}

/** The main thread's tasks that took longer than a person should wait for a key. */
export async function longTasks(page: Page): Promise<Figure> {
  const { longTasks: tasks } = await recordOf(page);
  return {
    name: `tasks over 50 ms by the clock: ${tasks.length}`,
    values: tasks.length === 0 ? [0] : tasks,
    aim: 50,
  };
}

/** Types a code key by key, as a scanner does, and waits until it is counted or the banner shows why not. */
async function enter(page: Page, code: string): Promise<EnterTimes | undefined> {
  const before = (await recordOf(page)).enters.length;
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
  await page.waitForFunction((number) => {
    const times = window.pageRecord?.enters[number];
    return times !== undefined && times.sound !== null && (times.count ?? times.banner) !== null;
  }, before);
  return (await recordOf(page)).enters[before];
}

async function scan(page: Page, index: number): Promise<void> {
  await enter(page, barcodeAt(index));
}

function besidesTheWrite(enters: readonly EnterTimes[], what: "count" | "banner" | "sound"): number[] {
  return enters.flatMap((times) => (times[what] === null ? [] : [times[what] - (times.write ?? 0)]));
}

const frame = 16;

/** Scans one product after another: what each took besides the write to the disk, and the write. */
export async function measureScans(page: Page, scans: number, products: number): Promise<Figure[]> {
  await forget(page);
  for (let number = 0; number < scans; number += 1) await scan(page, (number * 7_919) % products);
  const { enters } = await recordOf(page);
  return [
    { name: "Enter to banner besides the write", values: besidesTheWrite(enters, "banner"), aim: frame },
    { name: "Enter to count besides the write", values: besidesTheWrite(enters, "count"), aim: frame },
    { name: "Enter to sound besides the write", values: besidesTheWrite(enters, "sound"), aim: frame },
    { name: "strictly durable write to IndexedDB", values: enters.flatMap(({ write }) => write ?? []) },
    { name: "Enter to count in all", values: enters.flatMap(({ count }) => count ?? []) },
  ];
}

/** Repeats a code at once, again and again: the debounce ignores it, and shows that. */
export async function measureIgnoredRepeats(page: Page, scans: number, products: number): Promise<Figure[]> {
  await forget(page);
  const ignored: EnterTimes[] = [];
  for (let number = 0; number < scans; number += 1) {
    const index = (number * 7_919) % products;
    await scan(page, index);
    const repeat = await enter(page, barcodeAt(index));
    // On a busy machine the repeat may come after the second is over: then it is counted.
    if (repeat?.count === null) ignored.push(repeat);
  }
  const values = (what: "banner" | "sound") => ignored.flatMap((times) => times[what] ?? []);
  return [
    { name: "an ignored repeat: Enter to banner", values: values("banner"), aim: frame },
    { name: "an ignored repeat: Enter to sound", values: values("sound"), aim: frame },
  ];
}

/** Words of a title, a size and numbers, a SKU, single letters that nearly every product has, and what none has. */
const searches = ["long sleeve 8731", "shirt xl 42", "sku-0099999", "s l g e 9", "zzz"] as const;
/** Longer than any search takes: what a key set off is over before the next one. */
const betweenKeysMs = 250;

/** Types searches into Manual Entry key by key, once the products are read for it. */
export async function measureManualEntry(page: Page, processor: CDPSession): Promise<Figure[]> {
  await page.getByRole("button", { name: "Manual Entry" }).click();
  const field = page.getByRole("dialog").getByLabel("Code");
  const opened = performance.now();
  await field.fill("lo");
  await page.getByRole("list", { name: "Products found" }).waitFor();
  const read = performance.now() - opened;
  await forget(page);
  const busy: number[] = [];
  for (const words of searches) {
    await field.fill("");
    await page.waitForTimeout(betweenKeysMs);
    for (const key of words) {
      const before = await busyMs(processor);
      await field.press(key === " " ? "Space" : key);
      await page.waitForTimeout(betweenKeysMs);
      busy.push((await busyMs(processor)) - before);
    }
  }
  const { keys } = await recordOf(page);
  await page.keyboard.press("Escape");
  return [
    { name: "Manual Entry: products read for its search", values: [read] },
    { name: "processor time of a key in its search", values: busy },
    { name: "a key in its search: painted", values: keys.flatMap(({ painted }) => painted ?? []), aim: 50 },
    { name: "a key in its search: what is found", values: keys.flatMap(({ found }) => found ?? []), aim: 50 },
  ];
}

/** How long the main thread worked since the page began to load: processor time, whatever else the machine does. */
async function busyMs(processor: CDPSession): Promise<number> {
  const { metrics } = await processor.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
}

/** Loads the scan screen again and again, from the start of loading to READY TO SCAN. */
export async function measureReopening(
  page: Page,
  processor: CDPSession,
  times: number,
): Promise<number[][]> {
  const [ready, busy]: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    await page.reload({ waitUntil: "commit" });
    await page.waitForFunction(() => window.pageRecord?.readyAt != null);
    ready.push((await recordOf(page)).readyAt ?? Number.NaN);
    busy.push(await busyMs(processor));
  }
  return [ready, busy];
}

/** Loads the page while the server has another catalogue, and scans until it is taken over. */
export async function measureSyncing(page: Page, processor: CDPSession, products: number): Promise<Figure[]> {
  await page.reload({ waitUntil: "commit" });
  await page.waitForFunction(() => window.pageRecord?.readyAt != null);
  await forget(page);
  const startedAt = performance.now();
  let scans = 0;
  const tasks = await taskTimes(processor, async () => {
    for (; (await recordOf(page)).workersEnded === 0; scans += 1)
      await scan(page, (scans * 7_919) % products);
  });
  const took = performance.now() - startedAt;
  const { enters } = await recordOf(page);
  const besides = `Enter to count besides the write, ${scans} scans`;
  return [
    { name: "a changed catalogue taken over after", values: [took] },
    { name: besides, values: besidesTheWrite(enters, "count"), aim: frame },
    { name: "strictly durable write meanwhile", values: enters.flatMap(({ write }) => write ?? []) },
    { name: "longest five tasks, processor time", values: longest(tasks), aim: 50 },
    await longTasks(page),
  ];
}

function longest(tasks: readonly number[]): number[] {
  return tasks.toSorted((left, right) => right - left).slice(0, 5);
}
