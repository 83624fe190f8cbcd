import { expect, type Page } from "@playwright/test";
import type { Camera, Frame } from "./camera.ts";
import type { Counter } from "./people/counter.ts";
import { harbour, type Scenery } from "./picture-scenery.ts";

const phone = { width: 360, height: 740 };
const handheld = { width: 480, height: 800 };
const dark = { scheme: "dark" } as const;

/** Opens a dialog by its button for a picture, and closes it again. */
async function takesDialog(camera: Camera, page: Page, button: string, name: string, frame: Frame) {
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await camera.takes(page, name, frame);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

async function scrollsTo(page: Page, text: string): Promise<void> {
  await page
    .getByText(text)
    .first()
    .evaluate((element) => element.scrollIntoView({ block: "center" }));
}

/** The way from the mail to the areas. */
export async function takeArrival(camera: Camera, counter: Counter, scenery: Scenery): Promise<void> {
  const { page } = counter;
  await page.setViewportSize(phone);
  await page.goto("/counter/invite/a-link-that-was-revoked");
  await expect(page.getByRole("heading", { name: "Invalid Invitation" })).toBeVisible();
  await camera.takes(page, "counter-invitation-invalid", phone);
  await page.goto(scenery.link);
  await expect(page.getByRole("heading", { name: "Stock Count Invitation" })).toBeVisible();
  await camera.takes(page, "counter-invitation", phone);
  await camera.takes(page, "counter-invitation-dark", { ...handheld, ...dark });
  await counter.joins(scenery.link, "Mara Lindt");
  await camera.takes(page, "counter-dashboard", phone);
  await counter.syncsProducts(harbour, 394);
  await page.getByRole("radio", { name: "A4" }).check();
  await page.getByRole("radiogroup", { name: "Select Area" }).scrollIntoViewIfNeeded();
  await camera.takes(page, "counter-dashboard-areas", phone);
  await camera.takes(page, "counter-dashboard-areas-dark", { ...handheld, ...dark });
  await page.setViewportSize(phone);
  await scrollsTo(page, "scan every item once");
  await camera.takes(page, "counter-how-to", phone);
  await takesDialog(camera, page, "Device Settings", "counter-device-settings", phone);
  await page.getByRole("radio", { name: "A3" }).check();
  await takesDialog(camera, page, "Start Counting Area", "counter-area-in-progress", phone);
}

/** What comes of a scan: counted, unknown, too soon, several products, a label of nowhere. */
async function takeScans(camera: Camera, counter: Counter, { goods, sharedSku }: Scenery): Promise<void> {
  const { page } = counter;
  await counter.startsArea({ store: harbour, location: "Sales Floor", area: "A4" });
  await camera.takes(page, "scan-ready", phone);
  await counter.scans(goods.map(({ barcode }) => barcode));
  await camera.takes(page, "scan-counted", phone);
  await camera.takes(page, "scan-counted-handheld-dark", { ...handheld, ...dark });
  await counter.scansInVain("5012345678900");
  await camera.takes(page, "scan-unknown-handheld", handheld);
  await counter.scansLabel("AREA0123456789AB");
  await expect(counter.banner).toContainText("This label does not belong to any area");
  await camera.takes(page, "scan-label-of-no-area", phone);
  await counter.scansTwiceTooFast(goods[0]?.barcode ?? "");
  await camera.takes(page, "scan-ignored", phone);
  await takesDialog(camera, page, "Manual Entry", "scan-manual-entry", phone);
  await counter.scansLabel(sharedSku);
  await expect(page.getByRole("dialog", { name: "Which product is it?" })).toBeVisible();
  await camera.takes(page, "scan-choose-product-handheld", handheld);
  await page.keyboard.press("Escape");
}

async function takeCameraScan(camera: Camera, counter: Counter): Promise<void> {
  const { page } = counter;
  const before = Number(await counter.itemsScanned.textContent());
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: "Scan with Camera" }).click();
  // The film shows the label for three seconds of five, and the decoder is loaded first.
  await expect(counter.itemsScanned).toHaveText(String(before + 1), { timeout: 30_000 });
  await camera.takes(page, "scan-camera", phone);
  await page.getByRole("button", { name: "Close Camera" }).click();
}

/** The whole of an area, with everything that can happen in it, to its end. */
export async function takeScanning(camera: Camera, counter: Counter, scenery: Scenery): Promise<void> {
  const { page } = counter;
  const codes = scenery.goods.slice(0, 2).map(({ barcode }) => barcode);
  await takeScans(camera, counter, scenery);
  await takeCameraScan(camera, counter);
  await counter.goesOffline();
  await counter.scans(codes);
  await camera.takes(page, "scan-offline", phone);
  await camera.takes(page, "scan-offline-handheld-dark", { ...handheld, ...dark });
  await counter.comesBack();
  await page.setViewportSize(phone);
  await takesDialog(camera, page, "Finish Area", "scan-finish", phone);
  const counted = Number(await counter.itemsScanned.textContent());
  // One more would be counted and unknown together, about which the screen asks.
  await counter.declaresWrongly(counted + 2, counted);
  await camera.takes(page, "scan-mismatch", phone);
  await camera.takes(page, "scan-mismatch-dark", { ...handheld, ...dark });
  await page.getByRole("button", { name: "Exit Area" }).click();
  await expect(page.getByText("Recount needed").first()).toBeVisible();
  await scrollsTo(page, "Recount needed");
  await camera.takes(page, "counter-recount-needed", phone);
  await page.getByRole("radio", { name: "A4" }).check();
  await page.getByRole("button", { name: "Start Counting Area" }).click();
  await expect(counter.banner).toContainText("READY TO SCAN");
  await counter.scans(codes);
  await counter.declares(codes.length);
  await expect(counter.banner).toContainText("Area complete!");
  await camera.takes(page, "scan-area-complete", phone);
}
