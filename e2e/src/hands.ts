import type { Locator, Page } from "@playwright/test";

/** The phones and the handheld scanner that people count with, held upright. */
export const smallScreens = [
  { width: 360, height: 640 },
  { width: 360, height: 740 },
  { width: 480, height: 800 },
] as const;

const smallestTarget = 48;

/** What can be pressed and is smaller than a thumb needs, each with its name and size. */
export function smallTargetsOf(scope: Locator): Promise<string[]> {
  return scope.evaluate((element, smallest) => {
    // A radio, box or switch is pressed by the whole line of its label.
    const pressed = (control: Element) =>
      control.closest("label, .mantine-Radio-root, .mantine-Switch-root") ?? control;
    // A scanner writes into it; nobody presses it.
    const isForThumbs = (control: Element) => control.getAttribute("tabindex") !== "-1";
    const controls = [...element.querySelectorAll("button, a[href], input, select, [role=button]")].filter(
      isForThumbs,
    );
    return controls.flatMap((control) => {
      const { width, height } = pressed(control).getBoundingClientRect();
      const isShown = control.checkVisibility({ opacityProperty: false }) && width > 1 && height > 1;
      if (!isShown || Math.min(width, height) >= smallest - 0.5) return [];
      const name = control.getAttribute("aria-label") ?? control.textContent ?? control.tagName;
      return [`${name.trim()}: ${Math.round(width)} × ${Math.round(height)}`];
    });
  }, smallestTarget);
}

/** True where the whole element is in view and nothing covers it. */
export function isInTheOpen(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const points = [
      [(left + right) / 2, top + 4],
      [(left + right) / 2, bottom - 4],
    ] as const;
    return points.every(([x, y]) => {
      const seen = document.elementFromPoint(x, y);
      return seen !== null && (element.contains(seen) || seen.contains(element));
    });
  });
}

/** How far the page can be pushed to the side, in pixels. */
export function overhangOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
