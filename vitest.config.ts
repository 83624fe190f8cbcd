import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // These tests wait for PostgreSQL, and for screens to be drawn: as many workers as processors leave a third of each idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      "packages/contract",
      "apps/server",
      "apps/shopify-emulator",
      "apps/web",
      "packages/testkit",
      "scripts",
    ],
  },
});
