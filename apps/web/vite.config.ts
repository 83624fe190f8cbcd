import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { precompress } from "./build/precompress.ts";

const apiOrigin = "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [
    react(),
    VitePWA({
      strategies: "injectManifest",
      srcDir: "src/service-worker",
      filename: "service-worker.ts",
      // The manifest is a file of its own, and the page registers the worker itself: the content policy allows no inline script.
      manifest: false,
      injectRegister: null,
      injectManifest: {
        globPatterns: ["**/*.{js,css,html,svg,png,wasm,woff2,webmanifest}"],
        // Fonts of other scripts load when a text needs them; kept for offline are those that the pages' own words need.
        // Nor is what only an administrator at a desk looks at or works with: charts, label sheets, new passwords and passkeys.
        globIgnores: [
          "**/inter-{cyrillic,greek,vietnamese}*.woff2",
          "**/{BarChart,signed-bars,activity-columns,area-labels-page,barcode-pictures}-*.js",
          "**/{password-estimator,passkeys,authenticator-dialog}-*.js",
        ],
        dontCacheBustURLsMatching: /^assets\//,
      },
    }),
    precompress(),
  ],
  server: { proxy: { "/api": { target: apiOrigin } } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The content policy allows no data: fonts or scripts; every asset is a file of its own.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs and seldom changes; the rest is split by route, so that a counter's phone loads no table.
          groups: [
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
            // What few people ever load, each under a name by which a phone's cache leaves it out.
            { name: "password-estimator", test: /node_modules[\\/](@zxcvbn-ts|fastest-levenshtein)[\\/]/ },
            { name: "passkeys", test: /node_modules[\\/]@simplewebauthn[\\/]/ },
            { name: "barcode-pictures", test: /node_modules[\\/]bwip-js[\\/]/ },
            { name: "query", test: /node_modules[\\/]@tanstack[\\/](react-query|query-core)[\\/]/ },
          ],
        },
      },
    },
  },
});
