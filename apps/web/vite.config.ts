import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { serviceWorkerFiles } from "./build/service-worker-plugin.ts";

const apiOrigin = "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [react(), serviceWorkerFiles()],
  server: { proxy: { "/api": { target: apiOrigin } } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The content policy allows no data: fonts or scripts; every asset is a file of its own.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: "index.html", "service-worker": "src/service-worker/service-worker.ts" },
      output: {
        // A service worker rules over its own folder and below, and must keep its address from build to build.
        entryFileNames: ({ name }) =>
          name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js",
        codeSplitting: {
          // What every page needs and seldom changes; the rest is split by route, so that a counter's phone loads no table.
          groups: [
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
            { name: "query", test: /node_modules[\\/]@tanstack[\\/](react-query|query-core)[\\/]/ },
          ],
        },
      },
    },
  },
});
