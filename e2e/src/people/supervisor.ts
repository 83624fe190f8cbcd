import type { Locator, Page } from "@playwright/test";
import { expect } from "../stage.ts";

/** The administrator over one running count: second counts, control samples, searches, and what is left open. */
export class Supervisor {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  /** What a SKU of the store may have more than Shopify has before somebody else counts it again. */
  async setsTolerance(store: string, unitsOver: number): Promise<void> {
    const { page, dialog } = this;
    await page.getByRole("button", { name: `EDIT ${store}` }).click();
    await page.getByRole("button", { name: "Set the Tolerance for Second Counts" }).click();
    const over = dialog.getByRole("group", { name: "More Than Shopify Has" });
    await over.getByLabel("Units").fill(String(unitsOver));
    await dialog.getByRole("button", { name: "Save Tolerance" }).click();
    await expect(dialog).toHaveCount(0);
  }

  /** Goes from the session's card to one of its pages. */
  async goesTo(link: string | RegExp): Promise<void> {
    await this.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Sessions" }).click();
    await this.page.getByRole("link", { name: link }).click();
  }

  /** What the page of second counts says of an area. */
  secondCountOf(area: string): Locator {
    return this.page
      .getByRole("table", { name: "Areas", exact: true })
      .getByRole("row")
      .filter({ hasText: area });
  }

  async drawsSample(areas: number): Promise<void> {
    await this.page.getByRole("button", { name: "Draw a Sample" }).click();
    await this.dialog.getByLabel("Number of Areas").fill(String(areas));
    await this.dialog.getByRole("button", { name: "Draw a Sample" }).click();
    await expect(this.page.getByText(`0 of ${areas} counted again.`)).toBeVisible();
  }

  /** Makes one list of everything never counted that has these words. */
  async makesSearchList(words: string, skus: number, who: string): Promise<void> {
    await this.page.getByLabel("Words in Product, Size or SKU").fill(words);
    await this.page.getByRole("button", { name: `Make Lists of All ${skus} SKUs` }).click();
    await this.dialog.getByLabel("Who looks").selectOption({ label: who });
    await this.dialog.getByRole("button", { name: "Make the Lists" }).click();
    await expect(this.page.getByText("1 search list was made.")).toBeVisible();
  }

  async confirmsEmpty(area: string): Promise<void> {
    const button = this.page.getByRole("button", { name: `Confirm Empty: ${area}` });
    await button.click();
    // What is below moves up as it goes: a press that begins before that ends beside what was pressed.
    await expect(button).toBeHidden();
  }

  async leavesRestAlone(reason: string): Promise<void> {
    await this.page.getByRole("button", { name: /^Leave All [\d,]+ SKUs Alone/ }).click();
    await this.dialog.getByLabel("Reason").fill(reason);
    await this.dialog.getByRole("button", { name: "Save" }).click();
    await expect(this.page.getByText("Nothing Is Open", { exact: true })).toBeVisible();
  }

  async issuesCertificate(): Promise<void> {
    await this.page.getByRole("button", { name: "Issue Certificate" }).click();
    await expect(this.page.getByText("Version 1 of the coverage certificate was issued.")).toBeVisible();
  }

  /** A version of the certificate, with what changed in it. */
  version(version: number): Locator {
    const versions = this.page.getByRole("table", { name: "Versions of the certificate" });
    return versions
      .getByRole("row")
      .filter({ has: this.page.getByRole("button", { name: `Save version ${version}` }) });
  }
}
