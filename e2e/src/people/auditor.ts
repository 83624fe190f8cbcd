import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";

/** Checks a count without the server: by what was saved on the report, opened from a folder. */
export class Auditor {
  readonly page: Page;
  readonly verdict: Locator;
  readonly faults: Locator;

  constructor(page: Page) {
    this.page = page;
    this.verdict = page.locator("#verdict");
    this.faults = page.locator("#faults li");
  }

  /** Saves the file and its verifier on the report's page, and opens the saved verifier. Returns the file's text. */
  async saves(report: Page, folder: string): Promise<string> {
    const saved = async (button: Locator) => {
      const [download] = await Promise.all([report.waitForEvent("download"), button.click()]);
      const path = `${folder}/${download.suggestedFilename()}`;
      await download.saveAs(path);
      return path;
    };
    const file = await saved(report.getByRole("button", { name: "Save Auditor's File" }));
    const verifier = await saved(report.getByRole("link", { name: "Save Its Verifier" }));
    await this.page.goto(`file://${verifier}`);
    return readFile(file, "utf8");
  }

  async chooses(text: string): Promise<void> {
    const buffer = Buffer.from(text);
    const file = { name: "auditors-file.jsonl", mimeType: "application/x-ndjson", buffer };
    await this.page.getByLabel("Auditor's file", { exact: true }).setInputFiles(file);
    await expect(this.verdict).toBeVisible();
  }

  async compares(hash: string, found: string | RegExp): Promise<void> {
    await this.page.getByLabel("Audit hash printed on the report").fill(hash);
    await expect(this.page.locator("#found")).toHaveText(found);
  }
}
