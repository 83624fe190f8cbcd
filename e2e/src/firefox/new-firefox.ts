import type { BrowserContext, BrowserContextOptions, BrowserType, LaunchOptions } from "@playwright/test";

/**
 * Playwright fills a field of Firefox by setting its value, which React takes for its own doing. Here the text is entered as
 * typed text is.
 */
function enterAsTyped(): void {
  Object.defineProperty(window, "__pw_bidiInsertText", {
    get: () => (text: string) => void document.execCommand("insertText", false, text),
    set: () => undefined,
  });
}

/**
 * A Firefox of its own for one person: only one window of a Firefox has the focus, and a scanner types into what has it. It
 * ends with its context. Of a device Playwright can tell Firefox the size, but not that it is a phone.
 */
export async function newFirefox(
  type: BrowserType,
  launchOptions: LaunchOptions,
  { isMobile: _, ...options }: BrowserContextOptions,
): Promise<BrowserContext> {
  const browser = await type.launch({ ...launchOptions, channel: "moz-firefox" });
  const context = await browser.newContext(options);
  context.on("close", () => void browser.close());
  await context.addInitScript(enterAsTyped);
  return context;
}
