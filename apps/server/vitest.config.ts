import { defineConfig } from "vitest/config";

export default defineConfig({
  // Vitest takes graphql's ES modules and Node gives graphql-yoga its CommonJS ones: two copies refuse each
  // other's schema, so both take the same file.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    name: "server",
    include: ["src/**/*.test.ts"],
    globalSetup: ["src/database/testing-setup.ts"],
    setupFiles: ["src/testing/setup.ts"],
    // Loading every module anew for each file is a third of the whole run; no test leaves anything behind in one.
    isolate: false,
    // A busy machine is no failure; these hold up only a test that fails.
    hookTimeout: 120_000,
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
