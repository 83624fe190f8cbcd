import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import * as contract from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { readArchive, sha256 } from "./archive-format.ts";
import { bringBack } from "./bring-back.ts";
import { archiveInEachTest, makeArchivable } from "./testing-archivable.ts";

const { archive, fileNamed, query, scene } = archiveInEachTest();

const back = (file: string) => bringBack(scene.server.database.connection, file);

async function archived(name: string, declaredTotal = 3): Promise<string> {
  await makeArchivable(scene, declaredTotal);
  return archiveAs(name);
}

async function archiveAs(name: string): Promise<string> {
  const file = fileNamed(name);
  await archive(file);
  return file;
}

async function rowsLeft(): Promise<number | null> {
  return (await query("select from session_items where session_id = $1", [scene.session._id])).rowCount;
}

/** The refusal of a file, after which nothing of the session is in the database. */
async function refusalOf(file: string): Promise<string> {
  const error = await back(file).catch((thrown: unknown) => thrown);
  expect(await rowsLeft()).toBe(0);
  return error instanceof Error ? error.message : "It was not refused.";
}

describe("a file that is not as it was written is named, and nothing is brought back", () => {
  test("wherever a byte of it was changed", async () => {
    const file = await archived("flipped");
    const bytes = await readFile(file);
    const broken = fileNamed("flipped-copy");
    // The header of gzip has a time and a name of the system, which say nothing.
    for (let at = 10; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 0x10;
      await writeFile(broken, copy);
      expect([at, await refusalOf(broken)]).toEqual([
        at,
        expect.stringMatching(
          /-flipped-copy is not a whole archive of a session: .+\. Nothing was changed\. Use another/,
        ),
      ]);
    }
    expect(await back(file)).toMatchObject({ kind: "brought_back" });
  });

  /** The archive with its text changed and packed anew. */
  async function changed(file: string, change: (text: string) => string): Promise<string> {
    const text = gunzipSync(await readFile(file)).toString();
    expect(change(text)).not.toBe(text);
    await writeFile(`${file}-changed`, gzipSync(change(text)));
    return `${file}-changed`;
  }

  test.each<[string, (text: string) => string, RegExp]>([
    [
      "a count by hand",
      (text) => text.replace("On the till", "On the roof"),
      /the rows of table count_adjustments were changed/,
    ],
    [
      "a scan left out",
      (text) => text.replace(/("table":"scans".*\n).*\n/, "$1"),
      /table scans has 3 rows in it, not 4/,
    ],
    [
      "a table left out",
      (text) => text.replace(/.*"table":"count_adjustments".*\n.*\n\\\.\n/, ""),
      /table count_adjustments has 0 rows in it, not 1/,
    ],
    ["the first line", (text) => text.replace('"name":null', '"name":"Other"'), /its first line was changed/],
    ["no end", (text) => text.slice(0, text.indexOf('{"manifest"')), /it breaks off before its end/],
    [
      "no end of a table",
      (text) => text.slice(0, text.indexOf("\\.\n")),
      /it breaks off within a table, in table /,
    ],
    ["more after the end", (text) => `${text}more\n`, /something follows its end/],
    ["another file", () => "id;name\n", /a line of its own is unreadable/],
    [
      "another kind of file",
      (text) => text.replace("session-archive", "backup"),
      /it does not begin like one/,
    ],
    ["no archive's line", (text) => text.replace(/^.*\n/, "$&{}\n"), /a part of it is unreadable/],
  ])("with %s, packed anew", async (_what, change, expected) => {
    const file = await archived("packed");
    expect(await refusalOf(await changed(file, change))).toMatch(expected);
  });

  test("where its manifest was changed with it", async () => {
    const file = await archived("forged");
    const forged = await changed(file, (text) => text.replace('"length":', '"length":1'));
    expect(await refusalOf(forged)).toMatch(
      /is an archive of this session, but not the one of \d{4}-.*-forged\. Nothing/,
    );
  });

  test("where it is of a later form", async () => {
    const file = await archived("later");
    const later = await changed(file, (text) => text.replace('"formatVersion":1', '"formatVersion":2'));
    expect(await refusalOf(later)).toMatch(
      /was written by a newer release of Stocktake\. Nothing was changed\./,
    );
  });
});

async function unpacked(file: string) {
  const text = gunzipSync(await readFile(file)).toString();
  const end = text.indexOf("\n");
  return { header: text.slice(0, end), sections: text.slice(end + 1) };
}

/** As if the file had been written so. */
async function keepHash(file: string): Promise<void> {
  const { manifestHash } = await readArchive(file);
  await query("update session_archives set manifest_hash = $2 where session_id = $1", [
    scene.session._id,
    manifestHash,
  ]);
}

describe("an archive is refused", () => {
  test("by another installation", async () => {
    const file = await archived("elsewhere");
    await query("update installation set row_key = 'another'");
    expect(await refusalOf(file)).toMatch(
      /^This archive is of another installation of Stocktake \(a session of /,
    );
  });

  test("where a later one was made of the session", async () => {
    const first = await archived("first");
    await back(first);
    await archiveAs("second");
    expect(await refusalOf(first)).toMatch(/-second\. Nothing was changed\. Bring that one back\.$/);
  });

  test("by a database that was restored to before the session", async () => {
    const file = await archived("before");
    const { header, sections } = await unpacked(file);
    const unknown = header.replace(scene.session._id, randomUUID());
    await writeFile(file, gzipSync(`${unknown}\n${sections}`.replace(sha256(header), sha256(unknown))));
    expect(await refusalOf(file)).toMatch(
      /^This database has no session .*: it was restored from a backup of before/,
    );
  });

  test("of a newer release", async () => {
    const file = await archived("newer");
    const { header, sections } = await unpacked(file);
    const other = header.replace(/"checksum":"./, '"checksum":"-');
    await writeFile(file, gzipSync(`${other}\n${sections}`.replace(sha256(header), sha256(other))));
    await keepHash(file);
    expect(await refusalOf(file)).toMatch(
      /was written by a newer release of Stocktake, or by another build of it\. Nothing was changed\./,
    );
  });

  test("of an earlier release, where a migration since has changed its tables", async () => {
    const file = await archived("earlier");
    const { header, sections } = await unpacked(file);
    const other = header.replace(/,\{"version":52,[^\]]*/, "");
    await writeFile(file, gzipSync(`${other}\n${sections}`.replace(sha256(header), sha256(other))));
    await keepHash(file);
    expect(await refusalOf(file)).toMatch(
      /is of an earlier release, and 0052_session_archives\.sql has changed its tables since\. Nothing was changed\. Restore a backup/,
    );
  });
});

test("what is in the database already is not brought back again", async () => {
  const file = await archived("twice");
  expect(await back(file)).toMatchObject({ kind: "brought_back", rows: expect.any(Number), scansSince: 0 });
  expect(await back(file)).toMatchObject({ kind: "already" });
  const { rows } = await query(
    "select action from audit_entries where chain = $1 order by position desc limit 2",
    [scene.session._id],
  );
  expect(rows.map(({ action }) => action)).toEqual(["session.brought_back", "session.archived"]);
});

test("a session that is back goes on where it was, and can be archived again in another file", async () => {
  const file = await archived("again");
  await back(file);
  const params = { sessionId: scene.session._id };
  await scene.server.admin.call(contract.adjustCount, { params, body: { sku: "JK-1001", newCount: 2 } });
  await back(await archiveAs("once-more"));
  const report = await scene.server.admin.call(contract.varianceReport, { params, query: { view: "all" } });
  expect(report.items.find(({ sku }) => sku === "JK-1001")).toMatchObject({ counted: 2 });
});

test("an archive comes back over tables that have a column more, and beside a table that it does not know", async () => {
  const file = await archived("grown");
  const { header, sections } = await unpacked(file);
  // As if nothing had had tags then.
  const before = sections.replace(/\{"table":"tags".*\n\\\.\n/, "").replace(/"tags":\{[^}]*\},/, "");
  expect(before.length).toBeLessThan(sections.length - 100);
  await writeFile(file, gzipSync(`${header}\n${before}`));
  await keepHash(file);
  await query("alter table scans add column shade text not null default 'none'");
  expect(await back(file)).toMatchObject({ kind: "brought_back" });
  const { rows } = await query("select distinct shade from scans where session_id = $1", [scene.session._id]);
  expect(rows).toEqual([{ shade: "none" }]);
  await query("alter table scans drop column shade");
});
