import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "repository", include: ["**/*.test.ts"], testTimeout: 120_000 },
});
