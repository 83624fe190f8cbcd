import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSeal } from "./seal.ts";

const secret = Buffer.from("12345678901234567890");
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stocktake-seal-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("what was sealed is not in it, and is read again by the same server after a restart", async () => {
  const sealed = await createSeal(folder).close(secret);
  expect(sealed.includes(secret)).toBe(false);
  expect(await createSeal(folder).open(sealed)).toEqual(secret);
  expect((await createSeal(folder).close(secret)).equals(sealed)).toBe(false);
});

test("the key is a file that its owner alone can read, in a folder that is made where it is missing", async () => {
  const missing = join(folder, "data");
  await createSeal(missing).close(secret);
  expect(await readdir(missing)).toEqual(["second-factor.key"]);
  expect((await stat(join(missing, "second-factor.key"))).mode & 0o777).toBe(0o600);
});

test("several that need the first key at once use the same", async () => {
  const sealed = await Promise.all(Array.from({ length: 5 }, () => createSeal(folder).close(secret)));
  for (const each of sealed) expect(await createSeal(folder).open(each)).toEqual(secret);
});

test("without the key, with another or with half of one nothing is read; changed bytes are not read either", async () => {
  const sealed = await createSeal(folder).close(secret);
  expect(await createSeal(join(folder, "elsewhere")).open(sealed)).toBeNull();
  const changed = Buffer.from(sealed.map((byte, index) => (index === sealed.length - 1 ? byte ^ 1 : byte)));
  expect(await createSeal(folder).open(changed)).toBeNull();
  expect(await createSeal(folder).open(Buffer.alloc(3))).toBeNull();
  await writeFile(join(folder, "second-factor.key"), Buffer.alloc(32));
  expect(await createSeal(folder).open(sealed)).toBeNull();
  await writeFile(join(folder, "second-factor.key"), "half");
  expect(await createSeal(folder).open(sealed)).toBeNull();
});
