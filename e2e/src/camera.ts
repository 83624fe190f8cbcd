import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, crc32, deflateSync, inflateSync } from "node:zlib";
import type { Page } from "@playwright/test";

const largestBytes = 200_000;
const signatureLength = 8;

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly scheme?: "light" | "dark";
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function* chunksOf(png: Buffer): Generator<Chunk> {
  for (let at = signatureLength; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunkBytes({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The same picture, packed as tightly as zlib can: the browser packs for speed. */
function repack(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)];
  const pixels = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const data = deflateSync(inflateSync(pixels), { level: constants.Z_BEST_COMPRESSION, memLevel: 9 });
  const [header, ...rest] = chunks.filter(({ type }) => type !== "IDAT");
  if (header === undefined) throw new Error("Not a PNG file.");
  const packed = [header, { type: "IDAT", data }, ...rest].map(chunkBytes);
  return Buffer.concat([png.subarray(0, signatureLength), ...packed]);
}

/** Takes pictures of pages into a folder, each under a name and small enough for a document. */
export class Camera {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws Error where the picture is 200 kB or larger. */
  async takes(page: Page, name: string, { width, height, scheme = "light" }: Frame): Promise<void> {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    await page.waitForLoadState("networkidle");
    const taken = await page.screenshot({ animations: "disabled", caret: "hide", scale: "css" });
    const packed = repack(taken);
    if (packed.length >= largestBytes) throw new Error(`${name} is ${packed.length} bytes large.`);
    await mkdir(this.#folder, { recursive: true });
    await writeFile(join(this.#folder, `${name}.png`), packed);
  }
}
