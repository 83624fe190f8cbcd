import { defineConfig } from "vitest/config";

export default defineConfig({
  // Vitest takes graphql's ES modules and Node gives graphql-yoga its CommonJS ones: two copies refuse each
  // other's schema, so both take the same file.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: { name: "shopify-emulator", include: ["src/**/*.test.ts"], isolate: false, testTimeout: 60_000 },
});
