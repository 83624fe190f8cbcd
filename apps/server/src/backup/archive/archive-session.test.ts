import { readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import * as contract from "@stocktake/contract";
import { afterEach, describe, expect, test } from "vitest";
import { scan } from "../../scanning/testing/scene.ts";
import { readArchive } from "./archive-format.ts";
import { bringBack } from "./bring-back.ts";
import {
  archiveInEachTest,
  countAgain,
  countAndEnd,
  end,
  letAge,
  makeArchivable,
} from "./testing-archivable.ts";

const { archive, fileNamed, inFolder, query, scene } = archiveInEachTest();

async function scansLeft(): Promise<number | null> {
  return (await query("select from scans where session_id = $1", [scene.session._id])).rowCount;
}

describe("what is archived", () => {
  test("is listed as archived, by its name, dates and totals", async () => {
    await makeArchivable(scene);
    const params = { id: scene.session._id };
    await scene.server.admin.call(contract.updateSession, { params, body: { name: "Spring" } });
    await archive(fileNamed("listed"));
    const { sessions } = await scene.server.admin.call(contract.listSessions, {});
    const listed = sessions.find(({ _id }) => _id === scene.session._id);
    expect(listed).toMatchObject({ name: "Spring", status: "closed" });
    expect(listed?.archived).toEqual({
      at: expect.stringMatching(/^\d{4}-/),
      file: `${scene.session._id}-listed`,
      scans: 3,
      skus: 2,
    });
  });

  test("leaves an entry in the audit log with what the file is known by", async () => {
    await makeArchivable(scene);
    const file = fileNamed("audited");
    await archive(file);
    const { manifest, manifestHash } = await readArchive(file);
    const { rows } = await query(
      "select action, actor_name, after from audit_entries where chain = $1 order by position desc limit 1",
      [scene.session._id],
    );
    expect(rows[0]).toMatchObject({ action: "session.archived", actor_name: "Command line" });
    expect(rows[0].after).toMatchObject({ manifestHash, auditHash: manifest.audit.lastHash });
    expect(rows[0].after.rows).toMatchObject({ scans: 4, count_adjustments: 1 });
  });

  test("is not archived a second time", async () => {
    await makeArchivable(scene);
    await archive(fileNamed("once"));
    const again = await archive(fileNamed("twice"));
    expect(again).toMatchObject({ kind: "already", file: `${scene.session._id}-once` });
    await expect(readFile(fileNamed("twice"))).rejects.toThrow("ENOENT");
  });

  test("has no sample that can be declared void", async () => {
    await makeArchivable(scene);
    await archive(fileNamed("sampled"));
    const given = {
      params: { id: scene.session._id },
      body: { number: 1, reason: "Counted by the wrong person" },
    };
    expect(await scene.server.admin.refusal(contract.voidSample, given)).toMatchObject({
      code: "SESSION_ARCHIVED",
    });
  });

  test("starts no follow-up", async () => {
    await makeArchivable(scene);
    await archive(fileNamed("followed"));
    const given = { params: { id: scene.session._id }, body: { skus: ["JK-1000"] } };
    expect(await scene.server.admin.refusal(contract.startFollowUp, given)).toMatchObject({
      code: "SESSION_ARCHIVED",
    });
  });
});

describe("the figures of other sessions", () => {
  test("are what they were: an earlier session's, which the archived one counted later than", async () => {
    const { later } = await makeArchivable(scene);
    await letAge(scene, scene.session._id);
    await letAge(scene, later.session._id);
    const newest = await countAgain(scene);
    await end(newest, newest.session._id);
    const read = async () => {
      const params = { sessionId: scene.session._id };
      const report = await scene.server.admin.call(contract.varianceReport, {
        params,
        query: { view: "all" },
      });
      const rows = report.items.map(({ sku }) => sku);
      const explained = await Promise.all(
        rows.map((sku) => scene.server.admin.call(contract.explainRow, { params, query: { sku } })),
      );
      return { report, explained };
    };
    const before = await read();
    expect(JSON.stringify(before)).toContain(later.session._id);
    expect(before.report.items.filter(({ skipReason }) => skipReason === "COUNTED_LATER")).not.toEqual([]);
    await archive(fileNamed("later"), later.session._id);
    expect(await read()).toEqual(before);
  });
});

describe("a file", () => {
  test("of something else is left as it is, and nothing is archived", async () => {
    await makeArchivable(scene);
    const file = fileNamed("notes.txt");
    await writeFile(file, "Tuesday: call the landlord\n");
    await expect(archive(file)).rejects.toThrow(
      /notes\.txt is there already and stays as it is: .* Nothing was changed\. Name another file\.$/,
    );
    expect(await readFile(file, "utf8")).toBe("Tuesday: call the landlord\n");
    expect(await scansLeft()).toBe(4);
  });

  test("that is an archive of the same session is not written over: a restored backup may need it", async () => {
    await makeArchivable(scene);
    const file = fileNamed("kept");
    await archive(file);
    const kept = await readFile(file);
    await bringBack(scene.server.database.connection, file);
    await expect(archive(file)).rejects.toThrow(/-kept is there already and stays as it is/);
    expect(await readFile(file)).toEqual(kept);
    expect(await scansLeft()).toBe(4);
    expect(await archive(fileNamed("kept-2"))).toMatchObject({ kind: "archived" });
  });

  test("that another command writes, or has left unfinished, is its own", async () => {
    await makeArchivable(scene);
    const file = fileNamed("shared");
    const unfinished = `${file}.unfinished`;
    await writeFile(unfinished, "half");
    await expect(archive(file)).rejects.toThrow(
      /-shared\.unfinished is there already: another command is writing .*-shared, or .* has left it\. Nothing was changed\./,
    );
    expect(await readFile(unfinished, "utf8")).toBe("half");
    expect(await scansLeft()).toBe(4);
    await rm(unfinished);
    await symlink(fileNamed("elsewhere"), unfinished);
    await expect(archive(file)).rejects.toThrow("-shared.unfinished is there already");
    await expect(readFile(fileNamed("elsewhere"))).rejects.toThrow("ENOENT");
    await rm(unfinished);
    expect(await archive(file)).toMatchObject({ kind: "archived" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("that can't be written changes nothing", async () => {
    await makeArchivable(scene);
    await expect(archive(inFolder("no-such-folder/file"))).rejects.toThrow("ENOENT");
    expect(await scansLeft()).toBe(4);
  });
});

describe("a session is not archived", () => {
  // An unfinished deploy would hold up the next test's location.
  afterEach(() => query("delete from adjustments"));

  async function reasonsAgainst(): Promise<string> {
    const error = await archive(fileNamed("refused")).catch((thrown: unknown) => thrown);
    await expect(readFile(fileNamed("refused"))).rejects.toThrow("ENOENT");
    return error instanceof Error ? error.message : "";
  }

  test("while it counts", async () => {
    expect(await reasonsAgainst()).toBe(
      "This session can't be archived now. Nothing was changed.\n- It has not ended.",
    );
  });

  test("as long as phones may send scans of it, and as the last count of an area", async () => {
    await countAndEnd(scene);
    expect(await reasonsAgainst()).toMatch(
      /\n- Phones may still send scans of it until \d{4}-\d\d-\d\d\.\n- It is the last count of area A1, by which search lists and count sheets know what to expect there\.$/,
    );
  });

  test("while a scan of it waits for a decision, unless its report is deployed, where nobody can decide", async () => {
    const { later } = await makeArchivable(scene);
    await scan(scene, { seq: 5 }, scene.server.admin);
    expect(await reasonsAgainst()).toMatch(/\n- 1 scan waits for a decision: accept or dismiss/);
    await deployed("applied");
    expect(await archive(fileNamed("deployed"))).toMatchObject({ kind: "archived" });
    expect(later.session._id).not.toBe(scene.session._id);
  });

  test.each(["pending", "partial"])("while its deploy is %s", async (status) => {
    await makeArchivable(scene);
    await deployed(status);
    expect(await reasonsAgainst()).toMatch(/\n- Its deploy or rollback is not finished: resume it/);
  });

  test("while the server works on it, or on the start of a follow-up", async () => {
    await makeArchivable(scene);
    await query(
      `insert into operations (kind, status, store_id, input)
       values ('start', 'running', $1, jsonb_build_object('followUpOf', $2::text))`,
      [scene.store.id, scene.session._id],
    );
    expect(await reasonsAgainst()).toMatch(/\n- The server is working on it/);
    await query("update operations set status = 'failed' where status = 'running'");
  });

  test("while a follow-up of it counts", async () => {
    await makeArchivable(scene);
    const given = { params: { id: scene.session._id }, body: { skus: ["JK-1000"] } };
    const started = await scene.server.admin.call(contract.startFollowUp, given);
    expect(await reasonsAgainst()).toMatch(/\n- A follow-up of it counts: end that first\.$/);
    if ("session" in started) await end(scene, started.session._id);
    expect(await archive(fileNamed("follow-up-ended"))).toMatchObject({ kind: "archived" });
  });

  test("before it is released, where it came out of a backup", async () => {
    await makeArchivable(scene);
    await query("update sessions set restored = true, backup_made_at = now() where id = $1", [
      scene.session._id,
    ]);
    expect(await reasonsAgainst()).toMatch(/\n- It came out of a backup and is held/);
  });

  test("where its audit log is broken", async () => {
    await makeArchivable(scene);
    await query("update audit_chains set length = length + 1 where chain = $1", [scene.session._id]);
    expect(await reasonsAgainst()).toMatch(/^The session's audit log is broken at entry \d+: /);
  });

  test("by an ID that is of none", async () => {
    await expect(archive(fileNamed("none"), "00000000")).rejects.toThrow(
      "This database has no session with the ID 00000000.",
    );
  });

  async function deployed(status: string): Promise<void> {
    await query(
      `insert into adjustments (session_id, status, basis, zero_uncounted, total_adjustments, applied_by)
       select $1, $2, 'end', false, 1, id from users where role = 'admin' limit 1`,
      [scene.session._id, status],
    );
  }
});
