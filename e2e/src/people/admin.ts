import type { Locator, Page } from "@playwright/test";
import { adminLogin } from "@stocktake/contract";
import { expect } from "../stage.ts";
import { adminPassword } from "../staging.ts";

/** The administrator at the desk: stores, areas, sessions and invitations. */
export class Admin {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  /** Without the form, which the tests about signing in hold: the browser has the login, and no page is opened yet. */
  async signsIn(): Promise<void> {
    const { method, path } = adminLogin;
    const answer = await this.page.request.fetch(path, { method, data: { password: adminPassword } });
    await expect(answer).toBeOK();
  }

  async opensDashboard(): Promise<void> {
    await this.page.goto("/admin");
    await this.isWelcome();
  }

  async signsInByForm(): Promise<void> {
    await this.page.goto("/login");
    await this.page.getByLabel("Password").fill(adminPassword);
    await this.page.getByRole("button", { name: "Sign In" }).click();
    await this.isWelcome();
  }

  private async isWelcome(): Promise<void> {
    await expect(this.page.getByRole("heading", { name: "Welcome, admin!" })).toBeVisible();
  }

  async opens(entry: string): Promise<void> {
    await this.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: entry }).click();
    await expect(this.page.getByRole("heading", { level: 1 })).toContainText(entry);
  }

  /** Adds a store for a Shopify location, under the name that choosing it prefills. */
  async addsStore(shopifyLocation: string): Promise<void> {
    await this.opens("Stores");
    await this.page.getByLabel("Shopify Location").selectOption({ label: shopifyLocation });
    await expect(this.page.getByLabel("Store Name")).toHaveValue(shopifyLocation);
    await this.page.getByRole("button", { name: "Add Store" }).click();
    await expect(this.page.getByText(`${shopifyLocation} was added.`)).toBeVisible();
  }

  async addsLocation(store: string, name: string): Promise<void> {
    await this.opens("Locations");
    await this.page.getByLabel("Store", { exact: true }).selectOption({ label: store });
    await this.page.getByLabel("Location Name").fill(name);
    await this.page.getByRole("button", { name: "Add Location" }).click();
    await expect(this.page.getByText(`${name} was added.`)).toBeVisible();
  }

  /**
   * To a store's first location, which was added just now: the dialog has opened by itself.
   * @param lines one area a line, as CODE,NAME
   */
  async addsAreas(location: string, lines: readonly string[]): Promise<void> {
    await expect(this.dialog).toContainText(location);
    await this.dialog.getByLabel("Areas", { exact: true }).fill(lines.join("\n"));
    await this.dialog.getByRole("button", { name: `Add ${lines.length} Areas` }).click();
    await expect(this.page.getByText(`${lines.length} areas were added.`)).toBeVisible();
  }

  async startsSession(store: string): Promise<void> {
    await this.opens("Sessions");
    const card = this.page.getByRole("article", { name: store });
    await card.getByRole("button", { name: "Start Session" }).click();
    await expect(this.dialog).toContainText("This takes a snapshot of its inventory.");
    await this.dialog.getByRole("button", { name: "Start Session" }).click();
    await expect(card.getByRole("button", { name: "Invite Counters" })).toBeVisible();
  }

  async invites(store: string, people: readonly { name: string; email: string }[]): Promise<void> {
    const card = this.page.getByRole("article", { name: store });
    await card.getByRole("button", { name: "Invite Counters" }).click();
    for (const { name, email } of people) {
      await this.dialog.getByLabel("Counter Name").fill(name);
      await this.dialog.getByLabel("Email", { exact: true }).fill(email);
      await this.dialog.getByRole("button", { name: "Send Invitation" }).click();
      await expect(this.dialog.getByText("Invitation sent successfully!")).toBeVisible();
      await expect(this.dialog.getByRole("row").filter({ hasText: name })).toContainText("Not used");
    }
    await this.dialog.getByRole("button", { name: "Close" }).click();
  }

  /** Ends the session, once the confirmation says everything in `saying`. */
  async endsSession(store: string, saying: readonly string[]): Promise<void> {
    const card = this.page.getByRole("article", { name: store });
    await card.getByRole("button", { name: "End Session" }).click();
    for (const text of saying) await expect(this.dialog).toContainText(text);
    await this.dialog.getByRole("button", { name: "End Session" }).click();
    await expect(this.page.getByText(`The session in ${store} has ended.`)).toBeVisible();
  }
}
