import { describe, expect, test, vi } from "vitest";
import { createLockLeadership } from "./leadership.ts";
import { FakeBrowser, type FakeTab } from "./testing/fake-browser.ts";

const scan = { type: "scan", sessionId: "s1" } as const;
const area = { type: "area", sessionId: "s1" } as const;

const kinds = [
  { kind: "with Web Locks", hasLocks: true, closedWithinMs: 100, silentForMs: 7_000 },
  { kind: "without them, on plain http", hasLocks: false, closedWithinMs: 300, silentForMs: 5_000 },
];

async function openTabs(browser: FakeBrowser, names: readonly string[]): Promise<FakeTab[]> {
  const tabs: FakeTab[] = [];
  for (const name of names) tabs.push(await browser.open(name));
  for (const tab of tabs) tab.gaps = 0;
  return tabs;
}

describe.each(kinds)("one stream for all tabs $kind", ({ hasLocks, closedWithinMs, silentForMs }) => {
  /** Tabs of which the first leads, whatever their names. */
  async function openThree() {
    const browser = new FakeBrowser(hasLocks);
    const [leader, second, third] = await openTabs(browser, ["b", "a", "c"]);
    if (leader === undefined || second === undefined || third === undefined) throw new Error("No tabs.");
    expect(browser.leaders()).toEqual([leader]);
    return { browser, leader, second, third };
  }

  test("twelve tabs that open at once have one stream, and each hears every event once", async () => {
    const browser = new FakeBrowser(hasLocks);
    const names = [..."gklabdcfehij"];
    const tabs = await Promise.all(names.map((name) => browser.open(name)));
    expect(browser.leaders()).toHaveLength(1);
    await browser.happen(scan);
    for (const tab of tabs) expect(tab.heard).toEqual([scan]);
  });

  test("a tab that joins has missed nothing, and makes nobody read anything again", async () => {
    const { browser, leader, second, third } = await openThree();
    await browser.happen(scan);
    const late = await browser.open("0");
    await browser.happen(area);
    expect(late.heard).toEqual([area]);
    expect([leader, second, third, late].map(({ gaps }) => gaps)).toEqual([0, 0, 0, 0]);
  });

  test("when the leader closes the next takes over within a second, and all read again", async () => {
    const { browser, leader, second, third } = await openThree();
    leader.close();
    await browser.pass(closedWithinMs);
    expect(browser.leaders()).toHaveLength(1);
    expect([second.gaps, third.gaps]).toEqual([1, 1]);
    await browser.happen(scan);
    expect([second.heard, third.heard]).toEqual([[scan], [scan]]);
  });

  test("a leader that dies without a word is replaced", async () => {
    const { browser, leader, second, third } = await openThree();
    leader.die();
    await browser.pass(hasLocks ? 100 : silentForMs);
    expect(browser.leaders()).toHaveLength(1);
    expect([second.gaps, third.gaps]).toEqual([1, 1]);
  });

  test("a frozen leader is replaced, and follows when it wakes", async () => {
    const { browser, leader, second, third } = await openThree();
    leader.freeze();
    await browser.pass(silentForMs);
    const [successor] = browser.leaders().filter((tab) => tab !== leader);
    expect(successor).toBeDefined();
    leader.thaw("kept");
    await browser.pass(1_000);
    expect(browser.leaders()).toHaveLength(1);
    const tabs = [leader, second, third];
    for (const follower of tabs.filter(({ stream }) => stream === null))
      expect(follower.gaps).toBeGreaterThan(0);
    const before = tabs.map(({ heard }) => heard.length);
    await browser.happen(scan);
    expect(tabs.map(({ heard }) => heard.length)).toEqual(before.map((count) => count + 1));
  });

  test("a hidden leader answers, and keeps the stream", async () => {
    const { browser, leader, second } = await openThree();
    leader.isVisible = false;
    await browser.pass(20_000);
    expect(browser.leaders()).toEqual([leader]);
    expect(second.gaps).toBe(0);
  });

  test("with all tabs hidden a silent leader stays; the first that is looked at again takes over", async () => {
    const { browser, leader, second, third } = await openThree();
    for (const tab of [leader, second, third]) tab.isVisible = false;
    leader.freeze();
    await browser.pass(60_000);
    expect(browser.leaders()).toEqual([leader]);
    third.show();
    await browser.pass(silentForMs);
    expect(third.stream).not.toBeNull();
    expect(third.gaps).toBeGreaterThan(0);
  });

  test("a follower that was frozen while events passed reads everything again when it is looked at", async () => {
    const { browser, second, third } = await openThree();
    await browser.happen(area);
    second.freeze();
    await browser.happen(scan);
    second.thaw("lost");
    second.show();
    await browser.pass(100);
    expect([second.gaps, third.gaps]).toEqual([1, 0]);
    await browser.happen(area);
    expect(second.heard).toEqual([area, area]);
  });

  test("a follower that slept through a change of leader reads everything again", async () => {
    const { browser, leader, second } = await openThree();
    await browser.happen(scan);
    second.freeze();
    leader.close();
    await browser.pass(closedWithinMs);
    await browser.happen(area);
    second.thaw("lost");
    second.show();
    await browser.pass(2_000);
    expect(browser.leaders()).toHaveLength(1);
    expect(second.gaps).toBeGreaterThan(0);
  });

  test("when the leader's stream was away, all read again once it is back", async () => {
    const { browser, leader, second, third } = await openThree();
    leader.stream?.onOpened();
    await browser.pass(100);
    expect([leader.gaps, second.gaps, third.gaps]).toEqual([1, 1, 1]);
  });

  test("a tab that closes while it waits takes the lead from nobody", async () => {
    const { browser, leader, second, third } = await openThree();
    second.close();
    leader.close();
    await browser.pass(closedWithinMs);
    expect(browser.leaders()).toEqual([third]);
  });
});

test("two that lead, as neither heard the other, agree on one", async () => {
  const browser = new FakeBrowser(false);
  const [first] = await openTabs(browser, ["b"]);
  first?.freeze();
  const second = await browser.open("a");
  const third = await browser.open("c");
  first?.thaw("kept");
  await browser.pass(500);
  expect(browser.leaders()).toEqual([second]);
  await browser.happen(scan);
  expect(third.heard).toEqual([scan]);
});

test("a tab whose browser refuses the lock has a stream of its own", async () => {
  const report = vi.fn();
  vi.stubGlobal("reportError", report);
  const onLead = vi.fn();
  const locks = { request: () => Promise.reject(new DOMException("Not here.", "SecurityError")) };
  createLockLeadership(locks, "lead", { onLead, onLost: () => {} }).wait();
  await vi.waitFor(() => expect(onLead).toHaveBeenCalledTimes(1));
  expect(report).toHaveBeenCalled();
});
