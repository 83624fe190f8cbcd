import type { Locator, Page } from "@playwright/test";
import { expect } from "../stage.ts";

/** The screen of a phone, held upright. */
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const debounceMs = 1_000;
const leavingAfterMs = 3_000;
const doubleTapMs = 500;

/** Where a counter goes to count. */
export interface CountingPlace {
  readonly store: string;
  readonly location: string;
  readonly area: string;
}

/**
 * A counter with a phone and a scanner that types. The page's clock is Playwright's, so that the second between two
 * scans passes without waiting for it.
 */
export class Counter {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get banner(): Locator {
    return this.page.locator("[role=status][aria-live=assertive]");
  }

  get itemsScanned(): Locator {
    return this.page.getByRole("status", { name: "Items Scanned" });
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  /** Opens the link of the mail and accepts the invitation. */
  async joins(link: string, name: string): Promise<void> {
    await this.page.clock.install();
    await this.page.goto(link);
    await expect(this.page.getByRole("heading", { name: "Stock Count Invitation" })).toBeVisible();
    await expect(this.page.getByText(`Welcome, ${name}!`)).toBeVisible();
    await this.page.getByRole("button", { name: "Start Counting" }).click();
    await expect(this.page.getByRole("heading", { name: "Counter Dashboard" })).toBeVisible();
  }

  /** @param products how many the shop has */
  async syncsProducts(store: string, products: number): Promise<void> {
    await this.page.getByRole("radio", { name: store }).check();
    // They come by themselves.
    const present = `${products.toLocaleString("en")} products on this device`;
    await expect(this.page.getByText(present)).toBeVisible();
  }

  async startsArea({ store, location, area }: CountingPlace): Promise<void> {
    await this.page.getByRole("radio", { name: store }).check();
    await this.page.getByRole("radio", { name: location }).check();
    await this.page.getByRole("radio", { name: area }).check();
    await this.page.getByRole("button", { name: "Start Counting Area" }).click();
    await expect(this.banner).toContainText("READY TO SCAN");
  }

  /** The trigger of the scanner: a burst of keys and Enter. */
  async pullsTrigger(code: string): Promise<void> {
    await this.scannerListens();
    await this.page.keyboard.type(code);
    await this.page.keyboard.press("Enter");
  }

  /** Waits for the scanner's field to have the focus, a moment after the screen has come: keys before it go nowhere. */
  async scannerListens(): Promise<void> {
    await expect(this.page.getByLabel("Scanner input")).toBeFocused();
  }

  /** A scanner that writes as a phone's keyboard app does: character by character, without the events of keys. */
  async writesAsKeyboardApp(code: string): Promise<void> {
    await this.scannerListens();
    for (const character of code) await this.page.keyboard.insertText(character);
    await this.page.keyboard.press("Enter");
  }

  /** Waits until a scan is taken: on a busy machine that is a moment after the screen, or its count, has come. */
  async canScan(): Promise<void> {
    await expect(this.page.locator("[data-ready=true]")).toBeAttached();
  }

  /** Scans each code a second after the one before, and waits each time until Items Scanned has counted it. */
  async scans(codes: readonly string[]): Promise<void> {
    await this.canScan();
    for (const code of codes) {
      const before = await this.counted();
      await this.page.clock.fastForward(debounceMs);
      await this.pullsTrigger(code);
      await expect(this.itemsScanned).toHaveText(String(before + 1));
    }
  }

  /**
   * The trigger, pulled where no input waits for it: there the page tells a scanner by the speed of its keys, which a
   * busy machine would take from real ones. They come one upon the other, in the page itself.
   */
  async burstsIn(code: string): Promise<void> {
    await this.page.evaluate(
      (keys) => {
        for (const key of keys) {
          const target = document.activeElement ?? document.body;
          target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        }
      },
      [...code, "Enter"],
    );
  }

  /** Scans an area's label, a second after the last scan. */
  async scansLabel(label: string): Promise<void> {
    await this.page.clock.fastForward(debounceMs);
    await this.pullsTrigger(label);
  }

  /** Scans a code that is not counted, a second after the last one. */
  async scansInVain(code: string): Promise<void> {
    await this.canScan();
    await this.page.clock.fastForward(debounceMs);
    await this.pullsTrigger(code);
    await expect(this.banner).toContainText(`UNKNOWN BARCODE: ${code}`);
    await expect(this.banner).toHaveAttribute("data-state", "aside");
  }

  /** Reads the same code twice within the second, with the clock standing still in between. */
  async scansTwiceTooFast(code: string): Promise<void> {
    await this.canScan();
    const before = await this.counted();
    const now = await this.page.evaluate(() => Date.now());
    // Later than the browser can be by the time it is told to: it pauses at no time that is over.
    await this.page.clock.pauseAt(now + 10 * debounceMs);
    await this.pullsTrigger(code);
    await this.pullsTrigger(code);
    await expect(this.banner).toContainText("Ignored: less than 1 second after the last scan");
    await this.page.clock.resume();
    await expect(this.itemsScanned).toHaveText(String(before + 1));
  }

  async undoesLast(): Promise<void> {
    const before = await this.counted();
    await this.page.clock.fastForward(doubleTapMs);
    await this.page.getByRole("button", { name: "Undo Last" }).click();
    await expect(this.itemsScanned).toHaveText(String(before - 1));
  }

  async goesOffline(): Promise<void> {
    await this.page.context().setOffline(true);
    await expect(this.banner).toContainText("Offline - Scans will be saved locally");
    await expect(this.page.getByText("Offline", { exact: true })).toBeVisible();
  }

  async comesBack(): Promise<void> {
    await this.page.context().setOffline(false);
    await expect(this.banner).toContainText("Back online! Syncing...");
    await this.hasPending(0);
  }

  /** Loads the page of an area again, and goes on where the count was. */
  async reloadsCounting(counted: number): Promise<void> {
    await this.page.reload();
    await expect(this.banner).toContainText("READY TO SCAN");
    await expect(this.itemsScanned).toHaveText(String(counted));
  }

  /** What the screen says is scanned in the area. */
  async counted(): Promise<number> {
    return Number(await this.itemsScanned.textContent());
  }

  async hasPending(entries: number): Promise<void> {
    await expect(this.page.getByText(`${entries} pending`, { exact: true })).toBeVisible();
  }

  async declares(total: number): Promise<void> {
    await this.page.getByRole("button", { name: "Finish Area" }).click();
    await this.dialog.getByLabel("How many items do you think you scanned in this area?").fill(String(total));
    await this.dialog.getByRole("button", { name: "Submit Count" }).click();
  }

  /** Declares a total that does not match: the count begins again from zero. */
  async declaresWrongly(declared: number, counted: number): Promise<void> {
    await this.declares(declared);
    const mismatch = `COUNT MISMATCH! You declared ${declared} but scanned ${counted}. Please recount.`;
    await expect(this.banner).toContainText(mismatch);
    await expect(this.itemsScanned).toHaveText("0");
  }

  /** Declares the total that matches, and is led back to the dashboard three seconds later. */
  async finishesArea(total: number, area: string): Promise<void> {
    await this.declares(total);
    await expect(this.banner).toContainText("Area complete!");
    await this.page.clock.fastForward(leavingAfterMs);
    await expect(this.page.getByRole("heading", { name: "Counter Dashboard" })).toBeVisible();
    await expect(this.page.getByRole("radio", { name: area })).toBeDisabled();
  }

  /** Opens the one search list that the dashboard shows. */
  async opensSearchList(products: number): Promise<void> {
    await expect(this.page.getByText(`Please find these ${products} products`)).toBeVisible();
    await this.page.getByRole("link", { name: "Open the List" }).click();
  }

  async findsOnShelf(product: string): Promise<void> {
    await this.page.getByRole("button", { name: `Found ${product}` }).click();
    await expect(this.page.getByText(/scan it in|add an area for what is found/i)).toBeVisible();
  }

  async looksInVain(product: string): Promise<void> {
    await this.page.getByRole("button", { name: `Not There ${product}` }).click();
    await expect(this.page.getByText("You looked, and it isn't there.")).toBeVisible();
  }
}
