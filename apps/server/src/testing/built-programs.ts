import { copyFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const project = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Builds the server's programs in an empty folder, which is laid out as a delivered release is: started from source each would compile all
 * of the server, which takes ten times as long. Returns the path of one by its name, such as "main".
 */
export async function buildPrograms(folder: string): Promise<(program: string) => string> {
  const outDir = join(folder, "apps/server/dist");
  await build({
    root: join(project, "apps/server"),
    logLevel: "silent",
    build: { outDir, emptyOutDir: true, sourcemap: false },
  });
  await copyFile(join(project, "package.json"), join(folder, "package.json"));
  await symlink(join(project, "node_modules"), join(folder, "node_modules"));
  return (program) => join(outDir, `${program}.js`);
}
