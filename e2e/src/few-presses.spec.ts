import type { Page } from "@playwright/test";
import { smallScreens } from "./hands.ts";
import { Admin } from "./people/admin.ts";
import { Counter, phone } from "./people/counter.ts";
import { Hands } from "./people/hands.ts";
import { countOverApi, invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, once, test as stageTest } from "./stage.ts";
import { type Article, findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";

interface Fixtures {
  readonly count: RunningCount;
  readonly tee: Article;
}

const test = stageTest.extend<Fixtures>({
  count: once((stage) => {
    const areas = ["A1", "A2", "A3", "A4", "A5"].map((code) => ({ code, name: `Shelf ${code}` }));
    return startCount(stage, { store, location, areas });
  }),
  tee: once(async (stage) => findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M")),
});

test.use({ stageName: "few-presses" });

test("ten people are invited by one paste and at most four clicks", async ({
  openPage,
  stage,
  count,
}, testInfo) => {
  const names = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana", "Ida", "Jo"];
  const people = names.map((name) => `${name}, ${name.toLowerCase()}@linden-quay.example`);
  expect(count.areas).toHaveLength(5);
  const admin = new Admin(await openPage());
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  const hands = new Hands();
  await hands.press(admin.page.getByRole("button", { name: "Invite Counters" }));
  await hands.press(admin.page.getByRole("button", { name: "Invite a List" }));
  await hands.paste(admin.page.getByLabel("People", { exact: true }), people.join("\n"));
  await hands.press(admin.page.getByRole("button", { name: "Send 10 Invitations" }));
  await expect(admin.page.getByText("10 people were invited.")).toBeVisible();
  testInfo.annotations.push({ type: "desk", description: hands.told() });
  expect([hands.pastes, hands.fields, hands.keys]).toEqual([1, 0, 0]);
  expect(hands.presses).toBeLessThanOrEqual(4);
  const links = await Promise.all(
    names.map((name) => stage.mailbox.linkFor(`${name.toLowerCase()}@linden-quay.example`)),
  );
  expect(new Set(links).size).toBe(names.length);
});

test("48 equal items are one scan and at most four taps", async ({
  openPage,
  stage,
  count,
  tee,
}, testInfo) => {
  const { link } = await invite(stage, count, { name: "Kim", email: "kim@linden-quay.example" });
  const counter = new Counter(await openPage({ ...phone, viewport: smallScreens[0] }));
  await counter.joins(link, "Kim");
  await counter.startsArea({ store, location, area: "A1" });
  await counter.scans([tee.barcode]);
  const thumb = new Hands();
  await thumb.press(counter.page.getByRole("button", { name: "×N, change the quantity, now 1" }));
  for (const key of ["4", "8", "OK"]) {
    await thumb.press(counter.dialog.getByRole("button", { name: key, exact: true }));
  }
  await expect(counter.itemsScanned).toHaveText("48");
  await counter.hasPending(0);
  testInfo.annotations.push({ type: "phone", description: thumb.told() });
  expect(thumb.presses).toBeLessThanOrEqual(4);
});

interface Heard {
  readonly what: "event" | "asked";
  /** In seconds of the browser's own clock, the same for both. */
  readonly at: number;
}

/** When a phone's stream brought news of an area, and when the phone asked for the areas, as its browser logs them. */
async function logsOf(page: Page): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  const devtools = await page.context().newCDPSession(page);
  devtools.on("Network.eventSourceMessageReceived", ({ data, timestamp }) => {
    if (data.includes('"area"')) heard.push({ what: "event", at: timestamp });
  });
  devtools.on("Network.requestWillBeSent", ({ request, timestamp }) => {
    if (new URL(request.url).pathname === "/api/areas") heard.push({ what: "asked", at: timestamp });
  });
  await devtools.send("Network.enable");
  return heard;
}

test("a recount is two clicks, and a phone hears of it by the stream of events and not by asking", async ({
  openPage,
  stage,
  count,
  tee,
}, testInfo) => {
  const first = await invite(stage, count, { name: "Lou", email: "lou@linden-quay.example" });
  await countOverApi(stage, count, { link: first.link, area: "A3", codes: [tee.barcode], finish: true });
  const { link } = await invite(stage, count, { name: "Mo", email: "mo@linden-quay.example" });
  const counter = new Counter(await openPage(phone));
  const heard = await logsOf(counter.page);
  await counter.joins(link, "Mo");
  await counter.startsArea({ store, location, area: "A2" });
  const admin = new Admin(await openPage());
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  const hands = new Hands();
  await hands.press(admin.page.getByRole("button", { name: "Count A3 Again" }));
  const confirm = admin.dialog.getByRole("button", { name: "Count Again" });
  await expect(confirm).toBeEnabled();
  await counter.canScan();
  expect(heard.some(({ what }) => what === "asked")).toBe(true);
  const before = heard.length;
  const noticed = expect(counter.banner).toContainText("is to be counted again");
  const clickedAt = Date.now();
  await hands.press(confirm);
  await noticed;
  const seconds = (Date.now() - clickedAt) / 1_000;
  testInfo.annotations.push({ type: "seconds until the phone told", description: String(seconds) });
  expect(hands.presses).toBe(2);
  const since = heard.slice(before).sort((one, other) => one.at - other.at);
  expect(since.map(({ what }) => what).slice(0, 2)).toEqual(["event", "asked"]);
});

test("by keys alone ten people are invited and an area is asked for again, without a pointer", async ({
  openPage,
  stage,
  count,
  tee,
}, testInfo) => {
  const { link } = await invite(stage, count, { name: "Nell", email: "nell@linden-quay.example" });
  await countOverApi(stage, count, { link, area: "A4", codes: [tee.barcode], finish: true });
  const admin = new Admin(await openPage());
  const { page, dialog } = admin;
  await admin.signsIn();
  const [inviting, recounting] = [new Hands(), new Hands()];
  const people = Array.from(
    { length: 10 },
    (_none, index) => `Pal ${index}, pal${index}@linden-quay.example`,
  );
  await page.goto("/admin/sessions");
  await inviting.pressByKeys(page.getByRole("button", { name: "Invite Counters" }));
  await inviting.pressByKeys(page.getByRole("button", { name: "Invite a List" }));
  await inviting.paste(page.getByLabel("People", { exact: true }), people.join("\n"));
  await inviting.pressByKeys(page.getByRole("button", { name: "Send 10 Invitations" }));
  await expect(page.getByText("10 people were invited.")).toBeVisible();
  await page.goto("/admin/sessions");
  await recounting.pressByKeys(page.getByRole("button", { name: "Count A4 Again" }));
  await recounting.pressByKeys(dialog.getByRole("button", { name: "Count Again" }));
  await expect(dialog).toBeHidden();
  testInfo.annotations.push(
    { type: "invite ten by keys", description: inviting.told() },
    { type: "recount by keys", description: recounting.told() },
  );
  expect([inviting.presses, inviting.pastes, recounting.presses]).toEqual([0, 1, 0]);
  expect(inviting.keys).toBeLessThanOrEqual(23);
  // Two fewer where no other area has a button before it.
  expect(recounting.keys).toBeLessThanOrEqual(27);
});

test("48 equal items are one scan and a few strokes for whoever counts at a handheld's keys", async ({
  openPage,
  stage,
  count,
  tee,
}, testInfo) => {
  const { link } = await invite(stage, count, { name: "Pia", email: "pia@linden-quay.example" });
  const counter = new Counter(await openPage({ ...phone, viewport: smallScreens[2] }));
  await counter.joins(link, "Pia");
  await counter.startsArea({ store, location, area: "A5" });
  await counter.scans([tee.barcode]);
  // Nobody reaches for the keys within half a second: what comes then is taken for the scanner's second suffix.
  await counter.page.waitForTimeout(600);
  const hands = new Hands();
  await hands.pressByKeys(counter.page.getByRole("button", { name: "×N, change the quantity, now 1" }));
  await expect(counter.dialog.getByLabel("Quantity")).toBeFocused();
  for (const key of ["4", "8", "Enter"]) await hands.strike(counter.page, key);
  await expect(counter.itemsScanned).toHaveText("48");
  await counter.hasPending(0);
  testInfo.annotations.push({ type: "handheld's keys", description: hands.told() });
  expect([hands.presses, hands.keys]).toEqual([0, 9]);
});
