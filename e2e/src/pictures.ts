import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, expect, type Page } from "@playwright/test";
import { findChromium } from "../../scripts/chromium.ts";
import { Camera } from "./camera.ts";
import { takeArrival, takeScanning } from "./counter-pictures.ts";
import { writeLabelFilm } from "./label-film.ts";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import {
  articleBeforeTheCamera,
  buildScenery,
  deployEnded,
  harbour,
  type Scenery,
} from "./picture-scenery.ts";
import { openStage, type Stage } from "./staging.ts";

const folder = fileURLToPath(new URL("../../docs/screens/", import.meta.url));
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const dark = { scheme: "dark" } as const;

async function openPage(browser: Browser, stage: Stage): Promise<Page> {
  const context = await browser.newContext({
    baseURL: stage.product.url,
    locale: "en-US",
    reducedMotion: "reduce",
    permissions: ["camera"],
  });
  return context.newPage();
}

async function opens(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
}

/** Opens a dialog by its button for a picture, and closes it again. */
async function takesDialog(
  camera: Camera,
  page: Page,
  button: string | RegExp,
  name: string,
  frame = desk,
): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(dialog.locator(".mantine-Loader-root")).toHaveCount(0);
  await camera.takes(page, name, frame);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

/** A product that nobody has used yet. */
async function takeEmptyProduct(camera: Camera, page: Page): Promise<void> {
  await page.goto("/login");
  await expect(page.getByRole("heading", { name: "Administrator Login" })).toBeVisible();
  await camera.takes(page, "login", desk);
  const admin = new Admin(page);
  await admin.signsIn();
  await admin.opensDashboard();
  await camera.takes(page, "admin-dashboard-empty", desk);
  await opens(page, "/admin/reports", "No Completed Sessions");
  await camera.takes(page, "admin-reports-empty-phone", phone);
}

async function takeAdministration(camera: Camera, page: Page): Promise<void> {
  await opens(page, "/admin", "Welcome, admin!");
  await camera.takes(page, "admin-dashboard", desk);
  await camera.takes(page, "admin-dashboard-dark", { ...desk, ...dark });
  await camera.takes(page, "admin-dashboard-phone", phone);
  await opens(page, "/admin/stores", harbour);
  await camera.takes(page, "admin-stores", desk);
  await opens(page, "/admin/locations", "Sales Floor");
  await camera.takes(page, "admin-locations", desk);
  await page.getByRole("link", { name: "LABELS Sales Floor" }).click();
  await expect(page.getByRole("list", { name: "Area Labels" })).toBeVisible();
  await camera.takes(page, "admin-area-labels", desk);
  await opens(page, "/admin/sessions", "Recent Sessions");
  await camera.takes(page, "admin-sessions", desk);
  await camera.takes(page, "admin-sessions-phone", phone);
  await takesDialog(camera, page, "Invite Counters", "admin-invitations");
  await takesDialog(camera, page, "End Session", "admin-end-session");
  await takesDialog(camera, page, /^Show \d+ Areas and Devices$/, "admin-areas-and-devices");
  await opens(page, "/admin/wall", harbour);
  await camera.takes(page, "admin-wall", desk);
  await opens(page, "/admin/packs", "Packs");
  await camera.takes(page, "admin-packs", desk);
  await opens(page, "/admin/users", "Add Counter");
  await camera.takes(page, "admin-users", desk);
  await opens(page, "/admin/settings", "System Health");
  await camera.takes(page, "admin-settings-dark", { ...desk, ...dark });
}

async function takeReport(camera: Camera, page: Page, scenery: Scenery): Promise<void> {
  const report = async () => {
    await opens(page, `/admin/reports?session=${scenery.ended.sessionId}`, "Variance Report");
    await page.getByRole("heading", { name: "Variance Report" }).evaluate((each) => each.scrollIntoView());
  };
  await report();
  await camera.takes(page, "admin-report", desk);
  await camera.takes(page, "admin-report-dark", { ...desk, ...dark });
  await page.getByRole("heading", { name: "Variance breakdown" }).evaluate((each) => each.scrollIntoView());
  await expect(page.getByRole("figure")).toHaveCount(2);
  await camera.takes(page, "admin-report-charts", desk);
  await report();
  await takesDialog(camera, page, "Adjust Count", "admin-adjust-count");
  // The charts and photos behind it take much room.
  await takesDialog(camera, page, "Deploy to Shopify", "admin-deploy", { width: 1280, height: 800 });
  await page.setViewportSize(desk);
  await page.setViewportSize(phone);
  await report();
  await camera.takes(page, "admin-report-phone", phone);
  await deployEnded(scenery);
  await page.setViewportSize(desk);
  await report();
  await page.getByRole("heading", { name: "Adjustment History" }).scrollIntoViewIfNeeded();
  await camera.takes(page, "admin-report-deployed", desk);
  await takesDialog(camera, page, /^Rollback$/, "admin-rollback");
  await opens(page, "/admin/audit", "Audit Log");
  await expect(page.getByRole("button", { name: "Export CSV" })).toBeVisible();
  await camera.takes(page, "admin-audit", desk);
}

async function takeAll(browser: Browser, stage: Stage): Promise<void> {
  const camera = new Camera(folder);
  const admin = await openPage(browser, stage);
  await takeEmptyProduct(camera, admin);
  const scenery = await buildScenery(stage);
  await takeAdministration(camera, admin);
  await takeReport(camera, admin, scenery);
  const counter = new Counter(await openPage(browser, stage));
  await takeArrival(camera, counter, scenery);
  await takeScanning(camera, counter, scenery);
}

/** What the browser's camera sees: a label that comes and goes. */
async function filmALabel(stage: Stage): Promise<{ path: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "stocktake-film-"));
  const path = join(directory, "label.y4m");
  await writeLabelFilm(path, articleBeforeTheCamera(await stage.shop.snapshot()).barcode);
  return { path, remove: () => rm(directory, { recursive: true }) };
}

/** Draws the pictures of docs/screens anew, from the built product with the demo shop. */
async function drawPictures(): Promise<void> {
  const stage = await openStage();
  const executablePath = findChromium();
  const film = await filmALabel(stage);
  const browser = await chromium.launch({
    ...(executablePath === "" ? {} : { executablePath }),
    args: [
      ...["--no-sandbox", "--disable-background-networking", "--disable-quic"],
      ...["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${film.path}`],
    ],
  });
  try {
    await takeAll(browser, stage);
  } finally {
    await browser.close();
    await stage.close();
    await film.remove();
  }
}

await drawPictures();
