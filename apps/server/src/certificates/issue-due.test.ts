import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { recordAudit, serverActor, sessionSubject } from "../audit/audit.ts";
import { followChanges } from "./follow-changes.ts";
import { createDueIssuer } from "./issue-due.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

/** Nobody follows the changes, as on a server that is killed just then. */
const scene = new CoverageScene({ follows: false });

test("a version that was missed as the server was killed is issued by the clock of the next one, once", async () => {
  await scene.complete();
  await scene.issue();
  const body = { sku: "JK-1000", newCount: 2, reason: "Behind the till" };
  const params = { sessionId: scene.session._id };
  await scene.server.admin.call(contract.adjustCount, { params, body });
  expect((await scene.read()).certificate).toMatchObject({ version: 1, valid: false });
  const issueDue = createDueIssuer(scene.server.context);
  for (const _ of [1, 2]) await issueDue();
  expect((await scene.versions()).map(({ version }) => version)).toEqual([2, 1]);
  expect((await scene.read()).certificate).toMatchObject({ version: 2, valid: true });
});

test("what waited for a device alone is issued by the clock once the device says that it holds nothing", async () => {
  await scene.complete();
  await scene.issue();
  const late = await scene.scan("A1", "JK-1001", { pending: 1 });
  const body = { action: "dismiss" } as const;
  await scene.server.admin.call(contract.resolveScan, { params: { id: late }, body });
  const issueDue = createDueIssuer(scene.server.context);
  await issueDue();
  expect((await scene.versions()).map(({ version }) => version)).toEqual([1]);
  await scene.tell("phone of Ada", 0);
  for (const _ of [1, 2]) await issueDue();
  expect((await scene.versions()).map(({ version }) => version)).toEqual([2, 1]);
});

/** A server of another release, which says the same in another form, issues the next version. */
async function issueByOtherRelease(): Promise<void> {
  const sessionId = scene.session._id;
  await scene.server.database.database.transaction().execute(async (transaction) => {
    await sql`
      insert into coverage_certificates (session_id, version, body, hash, fingerprint, items)
      select session_id, version + 1, body, reverse(hash), reverse(fingerprint), items from coverage_certificates
      where session_id = ${sessionId} order by version desc limit 1`.execute(transaction);
    await recordAudit(transaction, {
      ...{ sessionId, actor: serverActor, action: "certificate.issued" },
      subject: await sessionSubject(transaction, sessionId),
      ...{ before: null, after: null },
    });
  });
}

/** Follows the changes for as long as one is looked at. */
async function followOne(): Promise<void> {
  const { context } = scene.server;
  let tell: (event: contract.LiveEvent) => void = () => undefined;
  const end = followChanges({
    ...context,
    clock: { sleep: () => Promise.resolve() },
    events: {
      publish: (event) => context.events.publish(event),
      subscribe: (listener) => {
        tell = listener;
        return () => undefined;
      },
    },
  });
  tell({ type: "adjustment", sessionId: scene.session._id });
  await new Promise(setImmediate);
  await end();
}

test("servers of two releases issue versions against each other once a minute at most", async () => {
  await scene.complete();
  await scene.issue();
  await issueByOtherRelease();
  await followOne();
  expect((await scene.versions()).map(({ version }) => version)).toEqual([2, 1]);
  const issueDue = createDueIssuer(scene.server.context);
  for (const _ of [1, 2]) await issueDue();
  expect((await scene.read()).certificate).toMatchObject({ version: 3, valid: true });
  await issueByOtherRelease();
  await followOne();
  expect((await scene.read()).certificate).toMatchObject({ version: 4, valid: false });
});

test("what was changed back is issued at once, although a version before said it too", async () => {
  await scene.complete();
  await scene.issue();
  for (const [version, reason] of [
    [2, "Closed off"],
    [3, "Being rebuilt"],
  ] as const) {
    await scene.say(["A3"], "void", false);
    await scene.say(["A3"], "void", true, reason);
    await followOne();
    expect((await scene.read()).certificate).toMatchObject({ version, valid: true });
  }
});
