import { defineConfig, devices } from "@playwright/test";

const chromium = process.env.CHROMIUM_PATH ?? "";
/** A name that leads to this machine: unlike 127.0.0.1 it is no secure page, just as a shop's server on plain http. */
const plainHost = "stocktake.example";

export default defineConfig({
  testDir: "src",
  testMatch: "**/*.spec.ts",
  globalSetup: "./src/data-folder-template.ts",
  outputDir: "test-results",
  // Each has a product, a PostgreSQL and a browser of its own, and waits for them: a third takes half a minute off the run, though each step is slower.
  workers: 3,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  forbidOnly: true,
  use: {
    ...devices["Desktop Chrome"],
    channel: undefined,
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "UTC",
    // Recording what is kept only of a failure takes a quarter of the run; `-- --trace on` records the test that failed.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(chromium === "" ? {} : { executablePath: chromium }),
      args: [
        "--no-sandbox",
        // Where there is no graphics card, one that is computed takes a sixth of the run.
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-quic",
        "--disable-component-update",
        `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
      ],
    },
  },
});
