import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Pages speak in the browser's language and zone; tests read them in one of each. Worker processes take these from here.
process.env.LC_ALL = "en_US.UTF-8";
process.env.TZ = "UTC";

export default defineConfig({
  plugins: [react()],
  test: {
    name: "web",
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    css: { modules: { classNameStrategy: "non-scoped" } },
    // Loading every module anew for each file is a third of the whole run; no test leaves anything behind in one.
    isolate: false,
    // A busy machine is no failure; these hold up only a test that fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
