import { randomUUID } from "node:crypto";
import { logout, postScan, postScanBatch, revokeInvitation } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../assembly/app.ts";
import { invitationRoutes } from "../../invitations/invitations.ts";
import { makePermanentCounter, type TestCounter } from "../../testing/scenes.ts";
import { TestApi } from "../../testing/test-api.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import {
  type CountingScene,
  codes,
  countingSlices,
  countsOf,
  scanBody,
  startCounting,
} from "../testing/scene.ts";

let server: TestServer;
let scene: CountingScene;
/** Another server over the same database: it hears of nothing that happens on the first. */
let secondNode: FastifyInstance;
let secondUrl: string;

beforeAll(async () => {
  server = await startTestServer({ slices: [...countingSlices, invitationRoutes] });
  secondNode = await buildApp(server.context, [...countingSlices], null);
  secondUrl = await secondNode.listen({ port: 0, host: "127.0.0.1" });
  scene = await startCounting(server);
});
afterAll(async () => {
  await secondNode.close();
  await server.close();
});

let devices = 0;

/** A counter whose login both nodes have just seen opening something. */
async function known(counter: TestCounter) {
  devices += 1;
  const deviceId = `device-${devices}`;
  const nodes = [counter.api, new TestApi(secondUrl, counter.api.token)];
  const opId = randomUUID();
  for (const [index, node] of nodes.entries()) {
    for (const seq of [1, 2]) {
      const stored = { deviceId, seq: seq + 2 * index, opId: seq === 1 && index === 0 ? opId : randomUUID() };
      await node.call(postScan, { body: scanBody(scene, stored) });
    }
  }
  return { deviceId, nodes, opId };
}

const rawScan = (api: TestApi, body: string) =>
  fetch(`${api.url}${postScan.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: `stocktake_session=${api.token}` },
    body,
  });

async function expectNothingOpens(
  { deviceId, nodes, opId }: Awaited<ReturnType<typeof known>>,
  loginEnd?: string,
) {
  const before = await countsOf(scene);
  const refusal = { status: 401, code: "UNAUTHENTICATED", ...(loginEnd === undefined ? {} : { loginEnd }) };
  for (const node of nodes) {
    for (const changes of [
      { seq: 9 },
      { seq: 1, opId },
      { seq: 9, input: codes.unknown.input },
      { seq: 9, areaCode: "Z9" },
      { seq: 9, scannedAt: "2025-02-30T99:00:00Z" },
      { seq: 9, quantity: 0 },
    ]) {
      const refused = await node.refusal(postScan, { body: scanBody(scene, { deviceId, ...changes }) });
      expect(refused).toMatchObject(refusal);
    }
    expect((await rawScan(node, "{ no JSON")).status).toBe(401);
    const scans = [scanBody(scene, { deviceId, seq: 9 })];
    expect(await node.refusal(postScanBatch, { body: { scans } })).toMatchObject(refusal);
  }
  expect(await countsOf(scene)).toEqual(before);
}

describe("a login that has ended stores and learns nothing from the next scan on, on any node, however lately it opened something", () => {
  test("where its invitation was revoked", async () => {
    const { counter } = scene;
    const seen = await known(counter);
    await server.admin.call(revokeInvitation, { params: { id: counter.invitationId ?? "" } });
    await expectNothingOpens(seen, "invitation_revoked");
  });

  test("where it was signed out", async () => {
    const counter = await makePermanentCounter(server, "Grace");
    const seen = await known(counter);
    await counter.api.call(logout, {});
    await expectNothingOpens(seen);
  });

  test.each([
    ["its account was deactivated", "update users set is_active = false where id = $1"],
    ["its account was deleted", "update users set deleted_at = now() where id = $1"],
    ["its time is over", "update logins set expires_at = now() - interval '1 day' where user_id = $1"],
  ])("where %s", async (_name, change) => {
    const counter = await makePermanentCounter(server, `Counter ${randomUUID()}`);
    const seen = await known(counter);
    await server.database.pool.query(change, [counter.userId]);
    await expectNothingOpens(seen);
  });
});

test("a refusal of who is still signed in is said as before", async () => {
  const counter = await makePermanentCounter(server, "Edsger");
  const { nodes, deviceId } = await known(counter);
  const [api = counter.api] = nodes;
  expect(await api.refusal(postScan, { body: scanBody(scene, { deviceId, seq: 0 }) })).toMatchObject({
    status: 400,
    code: "VALIDATION",
  });
  expect((await rawScan(api, "{ no JSON")).status).toBe(400);
});
