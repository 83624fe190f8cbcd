import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { chunkGroups } from "./build/chunks.ts";
import { noCircles } from "./build/circles.ts";
import { firstLoad } from "./build/first-load.ts";
import { firstScript } from "./build/first-script.ts";
import { precompress } from "./build/precompress.ts";
import { verifierPage } from "./build/verifier-page.ts";

const apiOrigin = "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [
    react(),
    firstScript(),
    firstLoad(),
    noCircles(),
    verifierPage(),
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
          "**/{charts,signed-bars,activity-columns,area-labels-page,barcode-pictures}-*.js",
          "verifier.html",
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
        // Of one group there are several, named by all pages that share them.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*$/s, "")}-[hash].js`,
        codeSplitting: {
          groups: chunkGroups,
        },
      },
    },
  },
});
