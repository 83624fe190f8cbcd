import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** What the server reads or starts as files of its own, put beside the built code as they lie beside the source. */
function filesBesideTheCode(): Plugin {
  const migrations = new URL("./src/database/migrations/", import.meta.url);
  const guard = new URL("./src/embedded-postgres/postgres-guard.mjs", import.meta.url);
  const files = [
    ...readdirSync(migrations).map((name) => ({
      fileName: `migrations/${name}`,
      url: new URL(name, migrations),
    })),
    { fileName: "postgres-guard.mjs", url: guard },
  ];
  return {
    name: "files-beside-the-code",
    generateBundle() {
      for (const { fileName, url } of files) {
        this.emitFile({ type: "asset", fileName, source: readFileSync(url) });
      }
    },
  };
}

export default defineConfig({
  plugins: [filesBesideTheCode()],
  // One file is loaded in half of the time that a thousand take; what is machine code stays where it was installed.
  ssr: { noExternal: true, external: ["@node-rs/argon2"] },
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
        "mark-restored": "src/mark-restored.ts",
        archive: "src/archive.ts",
        "bring-back": "src/bring-back.ts",
        "admin-password": "src/admin-password.ts",
        "verify-audit": "src/verify-audit.ts",
        doctor: "src/doctor.ts",
      },
      // Flat: the code finds the files above beside itself, in whichever chunk it ends up.
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
