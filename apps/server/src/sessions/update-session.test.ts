import {
  endSession,
  exportReport,
  limits,
  listAudit,
  listSessions,
  startSession,
  updateSession,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditRoutes } from "../audit/audit.ts";
import { authRoutes } from "../auth/routes.ts";
import { reportRoutes } from "../reports/routes.ts";
import { begin, join, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { sessionRoutes } from "./routes.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes, reportRoutes, auditRoutes] });
});
afterAll(() => server.close());

async function changes(sessionId: string) {
  const { entries } = await server.admin.call(listAudit, { query: { sessionId, action: "session.renamed" } });
  return entries.map(({ before, after }) => ({ before, after }));
}

describe("the name and the note of a session", () => {
  test("are given at its start, and none where none is given", async () => {
    const store = await makeStore(server, { shopifyLocation: "Spare 1" });
    const words = { name: " Spring  count", note: "Racks 1 to 9\nWindow last" };
    const answer = await server.admin.call(startSession, { body: { storeId: store.id, ...words } });
    expect(answer).toMatchObject({ session: { ...words, name: "Spring  count" } });
    expect(await begin(server, await makeStore(server, { shopifyLocation: "Spare 2" }))).toMatchObject({
      name: null,
      note: null,
    });
  });

  test("change while it counts and after it has ended, with who changed what", async () => {
    const { _id: id } = await begin(server, await makeStore(server, { shopifyLocation: "Spare 3" }));
    const update = (body: { name?: string | null; note?: string | null }) =>
      server.admin.call(updateSession, { params: { id }, body });
    expect(await update({ name: "Spring count" })).toMatchObject({
      session: { name: "Spring count", note: null, status: "active" },
    });
    await server.admin.call(endSession, { body: { sessionId: id } });
    expect(await update({ note: "With the new racks" })).toMatchObject({
      session: { name: "Spring count", note: "With the new racks", status: "closed" },
    });
    expect(await update({})).toMatchObject({ session: { name: "Spring count" } });
    expect(await update({ name: " ", note: null })).toMatchObject({ session: { name: null, note: null } });
    expect(await changes(id)).toEqual([
      {
        before: { name: "Spring count", note: "With the new racks" },
        after: { name: null, note: null },
      },
      {
        before: { name: "Spring count", note: null },
        after: { name: "Spring count", note: "With the new racks" },
      },
      { before: { name: null, note: null }, after: { name: "Spring count", note: null } },
    ]);
  });

  test("are in the report, and the name on every line of its export", async () => {
    const session = await begin(server, await makeStore(server, { shopifyLocation: highStreet }));
    const params = { sessionId: session._id };
    const words = { name: "Spring count", note: "With the new racks" };
    await server.admin.call(updateSession, { params: { id: session._id }, body: words });
    await server.admin.call(endSession, { body: params });
    expect(await server.admin.call(varianceReport, { params })).toMatchObject({ session: words });
    const { body: csv } = await server.admin.send(exportReport, { params, query: { view: "all" } });
    const [header, ...lines] = String(csv).trimEnd().split("\r\n");
    expect(header).toMatch(/,Session,Audit Hash$/);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/,Spring count,[0-9a-f]{64}$/);
  });

  test("a counter reads the name and never the note", async () => {
    const session = await begin(server, await makeStore(server, { shopifyLocation: "Spare 4" }));
    const body = { name: "Spring count", note: "Watch rack 9" };
    await server.admin.call(updateSession, { params: { id: session._id }, body });
    const counter = await join(server, session);
    const { sessions } = await counter.api.call(listSessions, {});
    expect(sessions.map(({ name }) => name)).toEqual(["Spring count"]);
    expect(JSON.stringify(sessions)).not.toContain("rack 9");
    const { code } = await counter.api.refusal(updateSession, { params: { id: session._id }, body });
    expect(code).toBe("FORBIDDEN");
  });

  test("have a longest, and a session that is nowhere has none", async () => {
    const session = await begin(server, await makeStore(server, { shopifyLocation: "Spare 5" }));
    const tooLong = { name: "x".repeat(limits.name + 1) };
    const params = { id: session._id };
    expect(await server.admin.refusal(updateSession, { params, body: tooLong })).toMatchObject({
      details: [{ field: "name", message: "Session name can have at most 100 characters." }],
    });
    const nowhere = { id: "00000000-0000-4000-8000-000000000000" };
    expect(await server.admin.refusal(updateSession, { params: nowhere, body: {} })).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
