import type { Page } from "@playwright/test";
import { endSession, listAreas, sessionExceptions } from "@stocktake/contract";
import { join, offlineStore, scansOf, test } from "./offline-count.ts";
import { Counter, phone } from "./people/counter.ts";
import type { RunningCount } from "./running-count.ts";
import { expect } from "./stage.ts";
import type { Article } from "./stock.ts";

const { store, location } = offlineStore;
const areas = ["C1", "C2", "C3", "C4"].map((code) => ({ code, name: `Bay ${code}` }));
const debounceMs = 1_000;
const leavingAfterMs = 3_000;

test.use({ stageName: "counting offline", installsApp: true, plan: { areas } });

async function statusOf({ admin }: RunningCount, areaCode: string): Promise<string | undefined> {
  return (await admin.call(listAreas)).areas.find(({ code }) => code === areaCode)?.status;
}

/** Pulls the trigger as often as asked, a second apart, without looking up until the pile is done. */
async function scansPile(counter: Counter, pile: readonly Article[], times: number): Promise<void> {
  await counter.canScan();
  const before = Number(await counter.itemsScanned.textContent());
  for (let scan = 0; scan < times; scan += 1) {
    await counter.page.clock.fastForward(debounceMs);
    await counter.pullsTrigger(pile[scan % pile.length]?.barcode ?? "");
  }
  await expect(counter.itemsScanned).toHaveText(String(before + times));
}

/** The phone's battery dies: the page is gone without a word. The answer is the app, opened again on the same phone. */
async function diesAndIsOpenedAgain(page: Page): Promise<Counter> {
  const context = page.context();
  const again = await context.newPage();
  await page.close({ runBeforeUnload: false });
  await again.goto("/counter");
  return new Counter(again);
}

test("60 scans, most of them offline, through a reload and a crash: the server has 60 in order, and the badge says 0", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  await join(counter, stage, count, "Wanda");
  await counter.startsArea({ store, location, area: "C1" });
  await scansPile(counter, pile, 9);
  await counter.hasPending(0);

  await counter.goesOffline();
  await scansPile(counter, pile, 24);
  await expect(counter.banner).toContainText("Saved locally - will sync later");
  await counter.hasPending(24);
  await counter.page.reload();
  await expect(counter.itemsScanned).toHaveText("33");
  await counter.hasPending(24);
  await scansPile(counter, pile, 24);

  const reborn = await diesAndIsOpenedAgain(counter.page);
  await reborn.hasPending(48);
  expect(await scansOf(count, "C1")).toHaveLength(9);
  await reborn.page.getByRole("button", { name: "Resume Area" }).click();
  await expect(reborn.itemsScanned).toHaveText("57");
  await scansPile(reborn, pile, 3);

  await reborn.comesBack();
  const arrived = await scansOf(count, "C1");
  const scanned = Array.from({ length: 60 }, (_nothing, index) => pile[index % pile.length]?.sku);
  expect(arrived.map(({ sku }) => sku)).toEqual(scanned);
  expect(new Set(arrived.map(({ seq }) => seq)).size).toBe(60);
  await expect(reborn.itemsScanned).toHaveText("60");
  await reborn.finishesArea(60, "C1");
});

test("a scan undone and a finish without a network wait, and go behind the scans", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  await join(counter, stage, count, "Otto");
  await counter.startsArea({ store, location, area: "C2" });
  await counter.goesOffline();
  await scansPile(counter, pile, 5);
  await counter.undoesLast();
  await counter.declares(4);
  await expect(counter.banner).toContainText("Saved locally - will sync later");
  await expect(counter.banner).toContainText("The total is compared when this device is online again.");
  await page.clock.fastForward(leavingAfterMs);
  await counter.hasPending(7);
  await expect(page.getByText("Finish pending")).toBeVisible();
  expect(await statusOf(count, "C2")).toBe("not_started");

  await page.context().setOffline(false);
  await counter.hasPending(0);
  expect(await statusOf(count, "C2")).toBe("closed");
  const left = (await scansOf(count, "C2")).map(({ sku }) => sku);
  expect(left).toEqual([...pile, ...pile].slice(0, 4).map(({ sku }) => sku));
});

test("without a network a scan is undone alike, whether the server has it already or not", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  await join(counter, stage, count, "Ines");
  await counter.startsArea({ store, location, area: "C3" });
  await scansPile(counter, pile, 3);
  await counter.hasPending(0);
  await counter.goesOffline();
  await scansPile(counter, pile, 2);
  for (let undo = 0; undo < 4; undo += 1) await counter.undoesLast();
  await scansPile(counter, pile.slice(2), 1);
  await counter.page.reload();
  await expect(counter.itemsScanned).toHaveText("2");

  await counter.page.context().setOffline(false);
  await counter.hasPending(0);
  const left = (await scansOf(count, "C3")).map(({ sku }) => sku);
  expect(left).toEqual([pile[0]?.sku, pile[2]?.sku]);
  await expect(counter.itemsScanned).toHaveText("2");
});

test("the session ends while the device is away: its scans are late, and the screen takes them back", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  await join(counter, stage, count, "Lars");
  await counter.startsArea({ store, location, area: "C4" });
  await scansPile(counter, pile, 1);
  await counter.hasPending(0);
  await counter.goesOffline();
  await scansPile(counter, pile, 2);
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });

  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Count finished, thank you" })).toBeVisible();
  await expect(page.getByText("No active session found")).toBeVisible();
  await counter.hasPending(0);
  await expect(page.getByText("You scanned 1 item in 1 area on this device.")).toBeVisible();
  await counter.pullsTrigger(pile[0]?.barcode ?? "");
  await expect(counter.banner).toContainText("No active session found");
  await expect(counter.banner).toHaveAttribute("data-state", "error");
  await page.getByRole("button", { name: "Exit Area" }).click();
  await expect(page.getByText("2 scans were not counted")).toBeVisible();
  const { scans } = await count.admin.call(sessionExceptions, { params: { id: count.sessionId } });
  expect(scans.map(({ reason }) => reason)).toEqual(["SESSION_CLOSED", "SESSION_CLOSED"]);
});
