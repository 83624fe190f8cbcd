import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import type axe from "axe-core";
import { expect } from "../stage.ts";

declare global {
  interface Window {
    /** Where it was loaded. */
    readonly axe?: typeof axe;
  }
}

const phoneWidth = 390;
const deskWidth = 1440;
const narrowestWidth = 360;

interface Appearance {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  /** Asks only what a colour scheme can change; all else was asked at this width, and of this scheme, already. */
  readonly onlyColours?: boolean;
  /** Asks about the dialog in front alone; the page behind it was asked before. */
  readonly onlyDialog?: boolean;
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

/** Pages that were asked about with a dialog in front. */
const askedBehindDialog = new WeakSet<Page>();

/** For a dialog: the page behind it is part of the first question about the first dialog of a page alone. */
function appearancesOfDialog(page: Page): readonly Appearance[] {
  const isPageAsked = askedBehindDialog.has(page);
  askedBehindDialog.add(page);
  return twoAppearances.map((appearance, index) => ({ ...appearance, onlyDialog: isPageAsked || index > 0 }));
}

/** axe's rules that look at colours. */
const colourRules = ["color-contrast", "link-in-text-block"];
const axeSource = readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export const still = { reducedMotion: "reduce" } as const;

interface Question {
  readonly options: axe.RunOptions;
  readonly onlyDialog: boolean;
}

/** What axe finds on the page; null where the document has no axe yet. */
function askAxe(page: Page, question: Question): Promise<string[] | null> {
  return page.evaluate(async ({ options, onlyDialog }) => {
    const dialog = onlyDialog ? [...document.querySelectorAll("[role=dialog]")].at(-1) : undefined;
    const violations = (await window.axe?.run(dialog ?? document, options))?.violations;
    const findings = violations?.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    );
    return findings ?? null;
  }, question);
}

async function findingsOf(
  page: Page,
  { onlyColours = false, onlyDialog = false }: Appearance,
): Promise<string[]> {
  // What passes is not described, which takes longer than to find what does not.
  const options: axe.RunOptions = {
    resultTypes: ["violations"],
    ...(onlyColours ? { runOnly: colourRules } : {}),
  };
  const question = { options, onlyDialog };
  const findings = await askAxe(page, question);
  if (findings !== null) return findings;
  // Half a megabyte: once a document.
  await page.evaluate(await axeSource);
  const first = await askAxe(page, question);
  if (first === null) throw new Error("axe was not loaded.");
  return first;
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
  for (const appearance of appearances) {
    const { colorScheme, width } = appearance;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await settleColours(page);
    expect
      .soft(await findingsOf(page, appearance), `${screen}, ${colorScheme}, ${width} px wide`)
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

/**
 * The field of the dialog in front that ought to have the focus and does not, in words; "" where it has. Of a choice it is
 * the one that is chosen, as the Tab key finds it.
 */
function unfocusedFieldOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const dialog = [...document.querySelectorAll("[role=dialog]")].at(-1);
    const fields = [...(dialog?.querySelectorAll("input, select, textarea") ?? [])].filter(
      (each) => each.checkVisibility() && !each.matches(":disabled, [readonly], [type=hidden]"),
    );
    const name = fields[0]?.matches("[type=radio]") === true ? fields[0].getAttribute("name") : null;
    const chosen = fields.find((each) => each.matches(":checked") && each.getAttribute("name") === name);
    // A dialog may know better, as one whose first field is right as it is.
    const marked = fields.find((each) => each.matches("[data-autofocus]"));
    const first = marked ?? (name === null ? undefined : chosen) ?? fields[0];
    if (first === undefined || first === document.activeElement) return "";
    return `${first.outerHTML} has no focus, but ${document.activeElement?.outerHTML.slice(0, 300)}`;
  });
}

/** What is typed goes into the first field of the dialog in front, where it has one. */
export async function expectFirstFieldFocused(page: Page, component: string): Promise<void> {
  const soft = expect.configure({ soft: true });
  await soft.poll(() => unfocusedFieldOf(page), { message: `the focus in ${component}` }).toBe("");
}

/** Asks about the dialog that is open, in which nothing was done yet. */
export async function expectAccessibleInside(page: Page, component: string): Promise<void> {
  await expect(page.getByRole("dialog").last()).toBeVisible();
  await expectAccessible(page, component, appearancesOfDialog(page));
  await expectFirstFieldFocused(page, component);
}

/**
 * Asks about the dialog that is open, and closes it. `afterwards` then has the focus: what opened it, and on the screen for
 * scans what takes them.
 */
export async function expectAccessibleOpenDialog(
  page: Page,
  component: string,
  afterwards: Locator,
): Promise<void> {
  const dialogs = page.getByRole("dialog");
  await expectAccessibleInside(page, component);
  const open = await dialogs.count();
  await page.keyboard.press("Escape");
  await expect(dialogs).toHaveCount(open - 1);
  await expect.soft(afterwards, `the focus after ${component}`).toBeFocused();
}

/**
 * Opens a dialog by its button, asks about it, and closes it again. `component` is what shows it in the app;
 * scripts/checks/dialogs.test.ts fails where a component with a dialog is named nowhere in this file.
 */
export async function expectAccessibleDialog(
  page: Page,
  component: string,
  button: string | RegExp,
  afterwards?: Locator,
): Promise<void> {
  const opener = page.getByRole("button", { name: button }).first();
  await opener.click();
  await expectAccessibleOpenDialog(page, component, afterwards ?? opener);
}
