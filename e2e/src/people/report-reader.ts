import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect } from "../stage.ts";

/** A CSV file as it came. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** Scrolls by a window's height, and from the end of the page to its top; ends when that is drawn. */
async function turnPage(): Promise<void> {
  const isAtEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
  window.scrollTo(0, isAtEnd ? 0 : window.scrollY + window.innerHeight);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
}

/** The one CSV file of a folder, once it is there to its last line. */
async function savedFile(folder: string): Promise<ExportedFile> {
  let file: ExportedFile = { name: "", text: "" };
  await expect(async () => {
    const names = await readdir(folder);
    const [name = ""] = names.filter((each) => each.endsWith(".csv"));
    file = { name, text: await readFile(join(folder, name), "utf8") };
    expect(file.text.endsWith("\r\n")).toBe(true);
  }).toPass();
  return file;
}

/** What of an A4 page lies within the report's margins, in CSS pixels: 186 by 267 mm. */
const firstPage = { width: 703, height: 1009 };

/** The administrator over the variance report of one session. */
export class ReportReader {
  readonly page: Page;
  /** Where the browser saves files; null where it says itself that it has saved one. */
  private readonly downloads: string | null;

  constructor(page: Page, downloads: string | null = null) {
    this.page = page;
    this.downloads = downloads;
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  async opensNewest(store: string): Promise<void> {
    await this.page
      .getByRole("link", { name: `View Report of ${store}` })
      .first()
      .click();
    await expect(this.page.getByRole("heading", { name: "Reports & Analytics" })).toBeVisible();
    await expect(this.page.getByRole("heading", { name: "Variance Report" })).toBeVisible();
  }

  /** The row of a SKU. Only the rows in view are drawn, so that finding one means scrolling to it, from the top again after the end. */
  async row(sku: string): Promise<Locator> {
    const row = this.page.getByRole("row").filter({ hasText: sku });
    await expect(async () => {
      if (!(await row.isVisible())) await this.page.evaluate(turnPage);
      expect(await row.isVisible(), `${sku} is in view`).toBe(true);
    }).toPass({ intervals: [0] });
    return row;
  }

  /** What the row of a SKU holds, under the heading of each column; a remark below a figure is left out. */
  async reads(sku: string): Promise<Readonly<Record<string, string>>> {
    const table = this.page.getByRole("table", { name: "Variance Report" });
    const headings = await table.getByRole("columnheader").allTextContents();
    const cells = await (await this.row(sku)).getByRole("cell").allInnerTexts();
    return Object.fromEntries(
      headings.map((heading, index) => [heading, cells[index]?.split("\n")[0] ?? ""]),
    );
  }

  /** A figure of the summary under the table. */
  figure(label: string): Locator {
    return this.page
      .locator("dl > div")
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .getByRole("definition");
  }

  async adjustsCount(sku: string, from: number, to: number, reason: string): Promise<void> {
    const row = await this.row(sku);
    await row.getByRole("button", { name: "Adjust Count" }).click();
    await expect(this.dialog).toContainText(`Current Count: ${from}`);
    await this.dialog.getByLabel("New Count").fill(String(to));
    await this.dialog.getByLabel("Reason (Optional)").fill(reason);
    await this.dialog.getByRole("button", { name: "Save Adjustment" }).click();
    await expect(this.page.getByText(`The count of ${sku} was changed from ${from} to ${to}.`)).toBeVisible();
  }

  async exportsCsv(): Promise<ExportedFile> {
    const button = this.page.getByRole("button", { name: "Export CSV" });
    if (this.downloads !== null) {
      await button.click();
      return savedFile(this.downloads);
    }
    const download = this.page.waitForEvent("download");
    await button.click();
    const file = await download;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  }

  /** Deploys, once the confirmation says everything in `saying`. */
  async deploys(adjustments: number, saying: readonly string[]): Promise<void> {
    await this.page.getByRole("button", { name: "Deploy to Shopify" }).click();
    for (const text of saying) await expect(this.dialog).toContainText(text);
    await this.dialog.getByRole("button", { name: "Deploy to Shopify" }).click();
    const done = `${adjustments} inventory adjustments were deployed to Shopify.`;
    await expect(this.page.getByText(done)).toBeVisible();
    await expect(this.page.getByRole("button", { name: "Deployed (Rollback to Re-enable)" })).toBeDisabled();
  }

  async rollsBack(adjustments: number): Promise<void> {
    const history = this.page.getByRole("table", { name: "Adjustment History" });
    await history.getByRole("button", { name: "Rollback" }).click();
    await expect(this.dialog).toContainText("This reverses all inventory changes it made.");
    await this.dialog.getByRole("button", { name: "Rollback" }).click();
    const done = `${adjustments} inventory adjustments were rolled back.`;
    await expect(this.page.getByText(done)).toBeVisible();
    await expect(history.getByText("Rolled Back")).toBeVisible();
    await expect(this.page.getByRole("button", { name: "Deploy to Shopify" })).toBeEnabled();
  }

  /** What the first page of paper says, A4 within the report's margins, while it is being printed. */
  async printedCover(): Promise<string> {
    const screen = this.page.viewportSize() ?? firstPage;
    await this.page.setViewportSize(firstPage);
    await this.page.emulateMedia({ media: "print" });
    await this.page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const cover = this.page.locator(".print-only").filter({ has: this.page.getByText("Audit hash") });
    await expect(cover).toBeVisible();
    const box = await cover.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(firstPage.height);
    const text = await cover.innerText();
    await this.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await this.page.emulateMedia({ media: "screen" });
    await this.page.setViewportSize(screen);
    return text;
  }

  /** What the report says of its coverage certificate. */
  get coverage(): Locator {
    return this.page.getByRole("region", { name: "Coverage" });
  }

  /** Accepts the one late scan of a code. */
  async acceptsLateScan(code: string): Promise<void> {
    await this.page.getByRole("button", { name: `Accept: ${code}` }).click();
    await this.dialog.getByRole("button", { name: "Accept" }).click();
    await expect(this.page.getByText("The scan was accepted and is now in the count.")).toBeVisible();
  }
}
