import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Of two processors the default leaves one idle, and these tests wait for PostgreSQL half of their time.
    maxWorkers: "100%",
    projects: ["packages/contract", "apps/server", "apps/shopify-emulator", "apps/web", "scripts"],
  },
});
