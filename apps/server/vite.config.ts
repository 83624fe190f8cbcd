import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** What the server reads or starts as files of its own, put beside the built code as they lie beside the source. */
function databaseFiles(): Plugin {
  const folder = new URL("./src/database/", import.meta.url);
  return {
    name: "database-files",
    generateBundle() {
      const migrations = readdirSync(new URL("migrations", folder)).map((name) => `migrations/${name}`);
      for (const fileName of [...migrations, "postgres-guard.mjs"]) {
        this.emitFile({ type: "asset", fileName, source: readFileSync(new URL(fileName, folder)) });
      }
    },
  };
}

export default defineConfig({
  plugins: [databaseFiles()],
  ssr: { noExternal: ["@stocktake/contract"] },
  build: {
    ssr: true,
    emitAssets: true,
    target: "node20",
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: "src/main.ts",
        backup: "src/backup.ts",
        restore: "src/restore.ts",
        "admin-password": "src/admin-password.ts",
        "verify-audit": "src/verify-audit.ts",
      },
      // Flat: the code finds the files above beside itself, in whichever chunk it ends up.
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
