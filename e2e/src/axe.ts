import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./stage.ts";

const phoneWidth = 390;
const deskWidth = 1440;
const narrowestWidth = 360;

interface Appearance {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  /** Asks only what a colour scheme can change; all else was asked at this width, and of this scheme, already. */
  readonly onlyColours?: boolean;
}

/** For what changes on a screen: both colour schemes and both widths once. */
export const twoAppearances: readonly Appearance[] = [
  { colorScheme: "light", width: phoneWidth },
  { colorScheme: "dark", width: deskWidth },
];

/** For a screen: every scheme at every width. */
const allAppearances: readonly Appearance[] = [
  ...twoAppearances,
  { colorScheme: "light", width: deskWidth, onlyColours: true },
  { colorScheme: "dark", width: phoneWidth, onlyColours: true },
];

/** axe's rules that look at colours. */
const colourRules = ["color-contrast", "link-in-text-block"];
/** In the place of axe's half a megabyte, where a document has it already. */
const nothingMore = "undefined";

export const still = { reducedMotion: "reduce" } as const;

async function findingsOf(page: Page, onlyColours: boolean): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in window);
  // No frames here, so that axe needs no blank page of its own to put several answers together. What passes is not
  // described, which takes longer than to find what does not.
  const { violations } = await new AxeBuilder({ page, ...(isThere ? { axeSource: nothingMore } : {}) })
    .options({ resultTypes: ["violations"], ...(onlyColours ? { runOnly: colourRules } : {}) })
    .setLegacyMode()
    .analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    );
}

/** Ends when every colour has arrived at its new scheme; one that arrives may set another going. */
async function settleColours(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const underway = () => document.getAnimations().filter((each) => each instanceof CSSTransition);
    for (let changes = underway(); changes.length > 0; changes = underway()) {
      await Promise.allSettled(changes.map((each) => each.finished));
    }
  });
}

/** Asks axe about what the page shows. */
export async function expectAccessible(
  page: Page,
  screen: string,
  appearances = allAppearances,
): Promise<void> {
  for (const { colorScheme, width, onlyColours = false } of appearances) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await settleColours(page);
    expect
      .soft(await findingsOf(page, onlyColours), `${screen}, ${colorScheme}, ${width} px wide`)
      .toEqual([]);
  }
  await expectFitting(page, screen);
}

function overhangOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The narrowest phones in use: once the page has taken their shape, nothing sticks out to the side. */
async function expectFitting(page: Page, screen: string): Promise<void> {
  await page.setViewportSize({ width: narrowestWidth, height: 640 });
  const soft = expect.configure({ soft: true });
  await soft.poll(() => overhangOf(page), { message: `pixels that stick out of ${screen}` }).toBe(0);
}

/** Asks about the dialog that is open, and closes it. */
export async function expectAccessibleOpenDialog(page: Page, component: string): Promise<void> {
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, component, twoAppearances);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

/**
 * Opens a dialog by its button, asks about it, and closes it again. `component` is what shows it in the app;
 * scripts/checks/dialogs.test.ts fails where a component with a dialog is named nowhere in this file.
 */
export async function expectAccessibleDialog(
  page: Page,
  component: string,
  button: string | RegExp,
): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
  await expectAccessibleOpenDialog(page, component);
}
