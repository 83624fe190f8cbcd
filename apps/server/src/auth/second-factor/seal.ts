import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Keeps a secret that has to be read again, so that whoever has the database alone, or a backup of it, can't read it. */
export interface Seal {
  close(secret: Buffer): Promise<Buffer>;
  /** Null where this server has not got the key that it was sealed with. */
  open(sealed: Buffer): Promise<Buffer | null>;
}

const cipher = "aes-256-gcm";
const [keyBytes, ivBytes, tagBytes] = [32, 12, 16];
const keyFile = "second-factor.key";

/** The key is a file of its own in the data folder, made when it is first needed, readable by its owner only. */
export function createSeal(dataDir: string): Seal {
  const path = join(dataDir, keyFile);
  return {
    close: async (secret) => close(await makeKey(dataDir, path), secret),
    open: async (sealed) => {
      const key = await readKey(path);
      return key === null ? null : open(key, sealed);
    },
  };
}

async function readKey(path: string): Promise<Buffer | null> {
  try {
    const key = await readFile(path);
    return key.length === keyBytes ? key : null;
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Several may do it at once: one gives the file its name when it is whole, the others read it. */
async function makeKey(dataDir: string, path: string): Promise<Buffer> {
  const known = await readKey(path);
  if (known !== null) return known;
  await mkdir(dataDir, { recursive: true });
  const key = randomBytes(keyBytes);
  const unnamed = `${path}-${randomUUID()}`;
  await writeFile(unnamed, key, { flag: "wx", mode: 0o600, flush: true });
  try {
    await link(unnamed, path);
    return key;
  } catch (error) {
    const others = isCode(error, "EEXIST") ? await readKey(path) : null;
    if (others === null) throw error;
    return others;
  } finally {
    await rm(unnamed);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function close(key: Buffer, secret: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const work = createCipheriv(cipher, key, iv);
  const closed = Buffer.concat([work.update(secret), work.final()]);
  return Buffer.concat([iv, work.getAuthTag(), closed]);
}

function open(key: Buffer, sealed: Buffer): Buffer | null {
  try {
    const work = createDecipheriv(cipher, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
    work.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([work.update(sealed.subarray(ivBytes + tagBytes)), work.final()]);
  } catch {
    // Sealed with another key.
    return null;
  }
}
