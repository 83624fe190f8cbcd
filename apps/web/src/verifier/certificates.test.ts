import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { faultsOfCertificates, readCertificate } from "./certificates.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const items = '["BELT-1","not_there",4]\n["TEE","counted",3]';

function certificate(version: number, previousHash: string | null, changes: Record<string, unknown> = {}) {
  const text = JSON.stringify({
    format: "stocktake-certificate-1",
    ...{ version, previousHash, stock: { list: sha(items) } },
    ...changes,
  });
  return { is: "certificate", version, text, items, hash: sha(text) };
}

const entryOf = ({ version, hash }: { readonly version: number; readonly hash: string }) => ({
  ...{ is: "entry", action: "certificate.issued", hash: `entry ${version}` },
  after: { version, hash },
});

const first = certificate(1, null);
const second = certificate(2, first.hash);
const log = [{ is: "entry", action: "session.ended", hash: "entry 0" }, entryOf(first), entryOf(second)];
const textsOf = async (
  certificates: readonly Parameters<typeof readCertificate>[0][],
  until: unknown = "entry 2",
) => {
  const read = await Promise.all(certificates.map(readCertificate));
  return faultsOfCertificates(read, log, until).map(({ version, text }) => `${version}: ${text}`);
};

it("versions that are linked, listed and in the log hold; those issued while the file was written may be missing", async () => {
  expect(await textsOf([first, second])).toEqual([]);
  expect(await textsOf([first], "entry 1")).toEqual([]);
  expect(await textsOf([], "entry 0")).toEqual([]);
});

it("keeps neither the text nor the list of a version that it has read", async () => {
  const { hash, version } = second;
  expect(await readCertificate(second)).toEqual({ version, hash, previousHash: first.hash, faults: [] });
});

it("names what does not fit", async () => {
  expect(await textsOf([first])).toEqual(["2: the log tells of it, and it is missing"]);
  expect(await textsOf([{ ...first, text: `${first.text} ` }, second])).toEqual([
    "1: its text is not what its hash was made of",
  ]);
  expect(await textsOf([{ ...first, items: items.replace("3", "4") }, second])).toEqual([
    "1: its list of SKUs is not the one that it names",
  ]);
  const forged = certificate(1, null, { issuedBy: "Mallory" });
  expect(await textsOf([forged, second])).toEqual([
    "1: its hash is not the one in the log",
    "2: it does not carry the hash of the version before it",
  ]);
  const third = certificate(3, second.hash);
  expect(await textsOf([first, second, third])).toEqual(["3: no entry of the log tells of it"]);
  expect(await textsOf([certificate(1, null, { format: "another" }), second])).toContain(
    "1: its text is of another version",
  );
  const unread = { ...first, text: "no JSON" };
  expect((await textsOf([unread, second])).length).toBeGreaterThan(0);
});
