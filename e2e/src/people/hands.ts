import type { Locator, Page } from "@playwright/test";
import { expect } from "../stage.ts";

/** The focus is in the field's form: nobody has to press the field first. */
async function isReachedByKeys(field: Locator): Promise<void> {
  const hasFocus = () =>
    field.evaluate((element) => element.closest("form")?.matches(":focus-within") ?? false);
  await expect.poll(hasFocus).toBe(true);
}

/** A dialog takes the focus a moment after it has opened. */
function isDialogReached(target: Element): boolean {
  return target.closest("[role=dialog]")?.contains(document.activeElement) ?? true;
}

/** More than any page has that can be reached. */
const mostTabs = 200;

/** Somebody's hands: how often they pressed something, filled a field in or pasted, and how many keys they typed. */
export class Hands {
  presses = 0;
  fields = 0;
  pastes = 0;
  keys = 0;

  async press(target: Locator): Promise<void> {
    await target.click();
    this.presses += 1;
  }

  async fill(field: Locator, text: string): Promise<void> {
    await isReachedByKeys(field);
    await field.fill(text);
    this.fields += 1;
    this.keys += text.length;
  }

  async choose(field: Locator, label: string): Promise<void> {
    await isReachedByKeys(field);
    await field.selectOption({ label });
    this.fields += 1;
  }

  /** Into the field that has the focus: nobody presses it first. */
  async paste(field: Locator, text: string): Promise<void> {
    await expect(field).toBeFocused();
    await field.page().keyboard.insertText(text);
    this.pastes += 1;
  }

  async strike(page: Page, key: string): Promise<void> {
    await page.keyboard.press(key);
    this.keys += 1;
  }

  /** By keys alone: Tab until the target has the focus, then Enter. */
  async pressByKeys(target: Locator): Promise<void> {
    const hasFocus = () => target.evaluate((element) => element === document.activeElement);
    await expect(target).toBeEnabled();
    await expect.poll(() => target.evaluate(isDialogReached)).toBe(true);
    for (let tabs = 0; !(await hasFocus()); tabs += 1) {
      if (tabs === mostTabs) throw new Error(`No ${mostTabs} times Tab lead to ${target}.`);
      await this.strike(target.page(), "Tab");
    }
    await this.strike(target.page(), "Enter");
  }

  /** What they did, for the report of a test. */
  told(): string {
    const { presses, fields, pastes, keys } = this;
    return JSON.stringify({ presses, fields, pastes, keys });
  }
}
