import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /\.(?:js|css|html|svg|wasm|json|webmanifest)$/;
/** Smaller files fit into one packet as they are. */
const worthwhileBytes = 1_400;

const encodings = [
  [".gz", (text: Buffer) => promisify(gzip)(text, { level: 9 })],
  [
    ".br",
    (text: Buffer) =>
      promisify(brotliCompress)(text, {
        params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: text.length },
      }),
  ],
] as const;

async function compressFile(path: string): Promise<void> {
  const text = await readFile(path);
  if (text.length < worthwhileBytes) return;
  for (const [ending, compress] of encodings) await writeFile(path + ending, await compress(text));
}

/**
 * Writes a .br and a .gz beside each built file, so that a morning on which many phones load the app costs the server
 * nothing. Comes after every plugin that writes files.
 */
export function precompress(): Plugin {
  let folder = "dist";
  return {
    name: "precompress",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        const files = await readdir(folder, { recursive: true });
        for (const file of files.filter((name) => compressible.test(name)))
          await compressFile(join(folder, file));
      },
    },
  };
}
