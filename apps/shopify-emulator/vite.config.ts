import { defineConfig } from "vite";

export default defineConfig({
  build: {
    ssr: true,
    target: "node20",
    sourcemap: true,
    rolldownOptions: { input: { main: "src/main.ts" }, output: { entryFileNames: "[name].js" } },
  },
});
