import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";
import inChromium from "./playwright.config.ts";

/** For `npm run proof:firefox`, which says by what Firefox is started. */
export default defineConfig(inChromium, {
  testMatch: "stocktake.spec.ts",
  outputDir: "test-results/firefox",
  workers: 1,
  timeout: 600_000,
  use: {
    ...devices["Desktop Firefox"],
    browserName: "firefox",
    channel: "moz-firefox",
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env.FIREFOX_STARTER ?? "",
      downloadsPath: join(import.meta.dirname, "test-results/firefox/downloads"),
    },
  },
});
