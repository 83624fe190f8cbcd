import { defineConfig } from "@playwright/test";
import inChromium from "./playwright.config.ts";

/** For `npm run proof:older`, which says where the older pages are. */
export default defineConfig(inChromium, {
  testMatch: "older/*.proof.ts",
  outputDir: "test-results/older",
  workers: 1,
});
