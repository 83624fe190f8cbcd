import type { Locator, Page } from "@playwright/test";
import { smallScreens } from "./hands.ts";
import { Counter, phone } from "./people/counter.ts";
import { Hands } from "./people/hands.ts";
import { expect, test } from "./stage.ts";
import { adminPassword } from "./staging.ts";
import { findArticle } from "./stock.ts";

const shopifyLocation = "Linden Quay Harbour Street";
const location = "Sales Floor";
/** With a name as long as some are. */
const mila = {
  name: "Mila Lovelace-Featherstonehaugh",
  email: "mila.lovelace.featherstone@linden-quay.example",
};

test.use({ stageName: "first-day" });

const menu = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

/** From the login of an empty installation to a store with one area. */
async function addPlace(page: Page, hands: Hands): Promise<void> {
  const button = (name: string) => page.getByRole("button", { name });
  const dialog = page.getByRole("dialog");
  await page.goto("/login");
  await expect(page.getByLabel("Password")).toBeFocused();
  await hands.fill(page.getByLabel("Password"), adminPassword);
  await hands.press(button("Sign In"));
  await hands.press(page.getByRole("link", { name: "Add a Store", exact: true }));
  await hands.choose(page.getByLabel("Shopify Location"), shopifyLocation);
  const placeBefore = await button("Add Store").boundingBox();
  await hands.press(button("Add Store"));
  await expect(page.getByText(`${shopifyLocation} was added.`)).toBeVisible();
  // The message moves nothing under the pointer.
  expect(await button("Add Store").boundingBox()).toEqual(placeBefore);
  await hands.press(menu(page, "Locations"));
  await expect(page.getByLabel("Store", { exact: true })).not.toHaveValue("");
  await hands.fill(page.getByLabel("Location Name"), location);
  await hands.press(button("Add Location"));
  await hands.fill(dialog.getByLabel("Areas", { exact: true }), "A1,Front wall");
  await hands.press(dialog.getByRole("button", { name: "Add 1 Area" }));
  await expect(dialog).toBeHidden();
}

/** From there to an invitation that is sent. */
async function invite(page: Page, hands: Hands): Promise<void> {
  const dialog = page.getByRole("dialog");
  await hands.press(page.getByRole("link", { name: "Start a Session" }));
  await hands.press(dialog.getByRole("button", { name: "Start Session" }));
  await expect(page.getByRole("heading", { name: shopifyLocation })).toBeFocused();
  await hands.press(page.getByRole("button", { name: "Invite Counters" }));
  await hands.fill(dialog.getByLabel("Counter Name"), mila.name);
  await hands.fill(dialog.getByLabel("Email", { exact: true }), mila.email);
  await hands.press(dialog.getByRole("button", { name: "Send Invitation" }));
  await expect(dialog.getByText("Invitation sent successfully!")).toBeVisible();
}

/** From the opened link of the invitation to the first scan. */
async function joinAndScan(counter: Counter, thumb: Hands, link: string, code: string): Promise<void> {
  const { page } = counter;
  await page.goto(link);
  await thumb.press(page.getByRole("button", { name: "Start Counting" }));
  const area = page.getByRole("radio", { name: "A1" });
  await expect(area).toBeChecked();
  await test.step("the first area is in sight on the smallest phone, without a swipe", async () => {
    await page.setViewportSize(smallScreens[0]);
    await expect(area.locator("xpath=ancestor::label")).toBeInViewport({ ratio: 1 });
    await page.setViewportSize(phone.viewport);
  });
  await thumb.press(page.getByRole("button", { name: "Start Counting Area" }));
  await counter.canScan();
  await counter.pullsTrigger(code);
  await expect(counter.itemsScanned).toHaveText("1");
}

/** Answers as a server without mail does, whose invitations have one button more in their row. */
async function hasMailInOutbox(page: Page): Promise<void> {
  const token = (await page.getByRole("dialog").locator("code").textContent())?.slice(1) ?? "";
  const mail = {
    _id: "1",
    to: mila.email,
    subject: "Count",
    text: "Count",
    createdAt: new Date().toISOString(),
  };
  const mails = [{ ...mail, link: `http://count.example/counter/invite/${token}` }];
  await page.route("**/api/mail/outbox*", (route) => route.fulfill({ json: { mails, next: null } }));
}

const widthOf = async (target: Locator) => (await target.boundingBox())?.width;

test("from an empty installation to the first scan: ten clicks at the desk, two taps on the phone", async ({
  openPage,
  stage,
}, testInfo) => {
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const [desk, thumb] = [new Hands(), new Hands()];
  const admin = await openPage();
  const began = Date.now();
  await addPlace(admin, desk);
  await invite(admin, desk);
  const invited = Date.now();
  const link = await stage.mailbox.linkFor(mila.email);
  await test.step("the buttons of an invitation that nobody has used are whole", async () => {
    await hasMailInOutbox(admin);
    await admin.reload();
    await admin.getByRole("button", { name: "Invite Counters" }).click();
    await expect(admin.getByRole("button", { name: `Open Email for ${mila.name}` })).toBeVisible();
    const words = admin
      .getByRole("button", { name: `Revoke ${mila.name}` })
      .locator("span")
      .last();
    // In a narrow row they would be squeezed and cut.
    await expect(words).toHaveCSS("white-space", "nowrap");
    expect(await words.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await admin.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  });
  const counter = new Counter(await openPage(phone));
  const opened = Date.now();
  await joinAndScan(counter, thumb, link, tee.barcode);
  const seconds = { desk: (invited - began) / 1_000, phone: (Date.now() - opened) / 1_000 };
  testInfo.annotations.push(
    { type: "seconds", description: JSON.stringify(seconds) },
    { type: "desk", description: desk.told() },
    { type: "phone", description: thumb.told() },
  );
  expect([desk.presses, desk.fields]).toEqual([10, 6]);
  expect([thumb.presses, thumb.fields, thumb.keys]).toEqual([2, 0, 0]);

  await test.step("the buttons of a session are as wide as the phone", async () => {
    await admin.setViewportSize(phone.viewport);
    const whole = await widthOf(admin.getByRole("button", { name: "Invite Counters" }));
    expect(await widthOf(admin.getByRole("link", { name: "Session Code" }))).toBe(whole);
  });

  await test.step("the menu lies over the scan screen and moves nothing on it; Escape closes it", async () => {
    const { page, itemsScanned } = counter;
    const before = await itemsScanned.boundingBox();
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("link", { name: "Dashboard" })).toBeVisible();
    expect(await itemsScanned.boundingBox()).toEqual(before);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("link", { name: "Dashboard" })).toBeHidden();
  });
});
