import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { type AuditEntry, createStore, exportAudit, listAudit, varianceReport } from "@stocktake/contract";
import Papa from "papaparse";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { readOneMoment } from "../database/one-moment.ts";
import { createExports } from "../kernel/files/exports.ts";
import { reportRoutes } from "../reports/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { storeRoutes } from "../stores/routes.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { type ChainedEntry, hashOf } from "./chain.ts";
import { exportAuditCsv } from "./csv.ts";
import { recordAudit } from "./record-audit.ts";
import { auditRoutes } from "./routes.ts";
import { appendCounts, countEntry } from "./testing.ts";

let server: TestServer;
let sessionId: string;

beforeAll(async () => {
  server = await startTestServer({
    slices: [auditRoutes, authRoutes, reportRoutes, sessionRoutes, storeRoutes],
  });
  sessionId = (await begin(server, await makeStore(server)))._id;
  await appendCounts(server.database.database, sessionId, 7);
});
afterAll(() => server.close());

type Filter = Parameters<typeof read>[0];

async function read(query: {
  sessionId?: string;
  actor?: string;
  action?: AuditEntry["action"] & "count.adjusted";
  from?: string;
  to?: string;
  limit?: string;
  cursor?: string;
}) {
  return server.admin.call(listAudit, { query });
}

const positions = async (filter: Filter) => (await read(filter)).entries.map(({ position }) => position);

describe("the audit log", () => {
  test("shows who did what to what, before and after, newest first", async () => {
    const { entries } = await read({ sessionId, limit: "1" });
    expect(entries).toEqual([
      {
        _id: expect.any(String),
        sessionId,
        position: 8,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: { kind: "admin", _id: null, name: "admin" },
        action: "count.adjusted",
        subject: { kind: "product", _id: "TEE-S", name: "Tee" },
        before: { count: 6 },
        after: { count: 7, reason: "recount" },
        previousHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  test("is read page by page to its beginning, without an entry twice or left out", async () => {
    const found: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await read({ sessionId, limit: "3", ...(cursor === "" ? {} : { cursor }) });
      found.push(...page.entries.map(({ position }) => position));
      cursor = page.next ?? null;
    }
    expect(found).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test("of all sessions and of none is in one list", async () => {
    const { entries } = await read({ limit: "200" });
    expect(entries.map((entry) => entry.sessionId)).toContain(null);
    expect(entries.map((entry) => entry.sessionId)).toContain(sessionId);
  });

  test("is filtered by action, and by a part of the actor's name in any case", async () => {
    expect(await positions({ sessionId, action: "count.adjusted" })).toEqual([8, 7, 6, 5, 4, 3, 2]);
    expect(await positions({ sessionId, actor: "ADM" })).toHaveLength(8);
    expect(await positions({ sessionId, actor: "server" })).toEqual([]);
    expect(await positions({ sessionId, actor: "%" })).toEqual([]);
  });

  test("is filtered by time, from a moment on and before another", async () => {
    const { entries } = await read({ sessionId });
    const [from, to] = [entries[5]?.at ?? "", entries[2]?.at ?? ""];
    const expected = entries.filter(({ at }) => at >= from && at < to).map(({ position }) => position);
    expect(await positions({ sessionId, from, to })).toEqual(expected);
  });

  test.each([
    ["limit", "0"],
    ["limit", "1001"],
    ["limit", "ten"],
    ["cursor", "later"],
    ["action", "nothing.done"],
    ["from", "yesterday"],
    ["to", "2026-11-20"],
  ])("refuses %s=%s and names it", async (field, value) => {
    const { status, body } = await server.admin.request("GET", `/api/audit?${field}=${value}`);
    expect([status, body]).toMatchObject([400, { code: "VALIDATION", details: [{ field }] }]);
  });

  test.each([randomUUID(), "no-id"])("of a session that is not there is not found: %s", async (unknown) => {
    const query = { sessionId: unknown };
    expect(await server.admin.refusal(listAudit, { query })).toMatchObject({ code: "NOT_FOUND" });
    expect(await server.admin.refusal(exportAudit, { query })).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a change that is refused", () => {
  test("leaves no entry", async () => {
    const before = await read({ limit: "1" });
    const body = { name: "Twice", shopifyLocationId: (await makeStore(server)).shopifyLocationId };
    expect(await server.admin.refusal(createStore, { body })).toMatchObject({
      code: "SHOPIFY_LOCATION_IN_USE",
    });
    expect((await read({ limit: "1" })).entries).toEqual(before.entries);
  });
});

describe("the export", () => {
  async function exported(query: { sessionId?: string }): Promise<Record<string, string>[]> {
    const { body, headers } = await server.admin.send(exportAudit, { query });
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="audit-log.csv"');
    const text = String(body);
    const { data, errors } = Papa.parse<Record<string, string>>(text.replace(/^\ufeff/, ""), {
      header: true,
      newline: "\r\n",
      skipEmptyLines: "greedy",
    });
    expect(errors).toEqual([]);
    return data;
  }

  /** As somebody does it who has nothing but the file and docs/AUDIT.md. */
  function recomputed(line: Record<string, string>): string {
    const text = (name: string) => (line[name] ?? "").replaceAll(/(?<=^|[;\t\r\n]"*)'/g, "");
    const orNull = (name: string) => text(name) || null;
    const facts = (name: string): ChainedEntry["before"] => JSON.parse(text(name) || "null");
    return hashOf({
      chain: text("Chain"),
      position: Number(text("Position")),
      at: new Date(text("Time")),
      actorKind: text("Actor Kind") === "admin" ? "admin" : "system",
      actorId: orNull("Actor Id"),
      actorName: text("Actor"),
      action: text("Action"),
      subjectKind: text("Subject Kind"),
      subjectId: orNull("Subject Id"),
      subjectName: text("Subject"),
      before: facts("Before"),
      after: facts("After"),
      previousHash: orNull("Previous Hash"),
    });
  }

  test("is strict CSV, oldest first, from which every hash can be recomputed, whatever the names", async () => {
    const names = [
      '=1+1 "quoted", with\r\na break',
      "'quoted",
      "-5",
      "\ttab",
      "line\nfeed",
      "carriage\rreturn",
      "שלום 🧦",
      "@all",
      "＝1+1",
      "Tee;=1+1;'5';\"-5",
    ];
    for (const name of names) {
      const subject = { kind: "product", id: name, name } as const;
      const entry = { ...countEntry(sessionId, 1), subject, after: { reason: name } };
      await server.database.database.transaction().execute((transaction) => recordAudit(transaction, entry));
    }
    const lines = await exported({ sessionId });
    expect(lines.map(({ Position }) => Position)).toEqual(lines.map((_line, index) => String(index + 1)));
    expect(lines.map(recomputed)).toEqual(lines.map(({ Hash }) => Hash));
    expect(lines.slice(1).map((line) => line["Previous Hash"])).toEqual(
      lines.slice(0, -1).map(({ Hash }) => Hash),
    );
    for (const line of lines)
      for (const cell of Object.values(line)) expect(cell).not.toMatch(/(?:^|;)[=+\-@＝\t\r]/);
  });

  test("takes the filter of the list", async () => {
    const chains = (await exported({ sessionId })).map(({ Chain }) => Chain);
    expect(new Set(chains)).toEqual(new Set([sessionId]));
    expect(new Set((await exported({})).map(({ Chain }) => Chain))).toContain("general");
  });

  test("is of one moment: an entry that is committed after later ones of others is in it with those that follow, or none is", async () => {
    const { database } = server.database;
    const held = (await begin(server, await makeStore(server)))._id;
    const slow = await database.startTransaction().execute();
    await recordAudit(slow, countEntry(held, 1));
    await appendCounts(database, sessionId, 600);
    const exports = createExports((read) => readOneMoment(database, read));
    const lines = (await exportAuditCsv(exports, {}, () => undefined)).setEncoding("utf8");
    // Its first page is read, up to what the slow change goes before.
    await once(lines, "readable");
    await slow.commit().execute();
    await appendCounts(database, held, 2);
    const { data } = Papa.parse<Record<string, string>>(await text(lines), { header: true });
    const found = data.filter(({ Chain }) => Chain === held).map(({ Position }) => Number(Position));
    expect(found).toEqual(found.map((_position, index) => index + 1));
  });

  test("holds more entries than are read at a time", async () => {
    const session = await begin(server, await makeStore(server));
    await appendCounts(server.database.database, session._id, 600);
    expect(await exported({ sessionId: session._id })).toHaveLength(601);
  });
});

test("a report carries the hash that its session's chain ends with", async () => {
  const session = await begin(server, await makeStore(server));
  await server.database.pool.query(
    "update sessions set status = 'closed', ended_at = now(), end_snapshot_at = now() where id = $1",
    [session._id],
  );
  const { entries } = await read({ sessionId: session._id });
  const params = { sessionId: session._id };
  expect(await server.admin.call(varianceReport, { params, query: {} })).toMatchObject({
    auditHash: entries[0]?.hash,
  });
});
