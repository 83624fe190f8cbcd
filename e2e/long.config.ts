import { defineConfig } from "@playwright/test";
import inChromium from "./playwright.config.ts";

/** For `npm run proof:browser`: walks that take long beside what they hold that no other holds. */
export default defineConfig(inChromium, {
  testMatch: "long/*.proof.ts",
  outputDir: "test-results/long",
});
