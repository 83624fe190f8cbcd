import { randomBytes } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../../auth/routes.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { invitationRoutes } from "../routes.ts";
import { type InvitationScene, setScene } from "../testing.ts";
import { resetAskingAhead } from "./times-to-come.ts";

let server: TestServer;
let scene: InvitationScene;
let code: contract.SessionCode;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes, invitationRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await setScene(server);
  const params = { sessionId: scene.session._id };
  ({ code } = await server.admin.call(contract.openSessionCode, { params }));
});

const newKey = () => randomBytes(32).toString("base64url");

function ask(key: string, counterName = "Tom") {
  const params = { token: code.link.split("/").at(-1) ?? "" };
  return server.stranger.send(contract.askToJoin, { params, body: { counterName, key } });
}

const poll = (key: string) => server.stranger.send(contract.readJoinRequest, { params: { key } });

async function shown(): Promise<string[]> {
  const params = { sessionId: scene.session._id };
  const { requests } = await server.admin.call(contract.readSessionCode, { params });
  return requests.map(({ counterName }) => counterName);
}

/** People who ask from an address, and whose phones are heard of now. */
async function crowd(count: number, address: string): Promise<void> {
  await server.database.pool.query(
    `insert into join_requests (code_id, counter_name, key_hash, address)
     select $1, 'Somebody', sha256(random()::text::bytea), $2 from generate_series(1, $3::int)`,
    [code._id, address, count],
  );
}

const fillCode = async () => {
  const { waitingPerCode, waitingPerAddress } = contract.limits;
  for (let address = 0; address < waitingPerCode / waitingPerAddress; address += 1) {
    await crowd(waitingPerAddress, `192.0.2.${address}`);
  }
};

/** Nobody's phone has been heard of for so long. */
const fallSilent = (minutes: number) =>
  server.database.pool.query("update join_requests set heard_at = now() - make_interval(mins => $1)", [
    minutes,
  ]);

const waiting = { status: 200, body: { request: { status: "waiting" } } };
const noRoom = { status: 429, body: { code: "RATE_LIMITED" } };

describe("who waits at a session code", () => {
  test("is never kept out by one address, however many have asked from it", async () => {
    await crowd(contract.limits.waitingPerAddress, "192.0.2.1");
    expect(await ask(newKey())).toMatchObject(waiting);
  });

  test("is bounded for an address, and there is room again once some of them are silent", async () => {
    await crowd(contract.limits.waitingPerAddress, "127.0.0.1");
    expect(await ask(newKey())).toMatchObject(noRoom);
    await fallSilent(6);
    expect(await ask(newKey())).toMatchObject(waiting);
  });

  test("takes up room at the code, and is shown, only while the phone is heard of", async () => {
    await fillCode();
    expect(await ask(newKey())).toMatchObject(noRoom);
    await fallSilent(6);
    expect(await ask(newKey(), "Ada")).toMatchObject(waiting);
    expect(await shown()).toEqual(["Ada"]);
  });

  test("goes on waiting as long as the phone asks", async () => {
    const key = newKey();
    await ask(key);
    for (const _quarterOfAnHour of [1, 2, 3]) {
      await fallSilent(4);
      expect(await poll(key)).toMatchObject(waiting);
    }
    expect(await shown()).toEqual(["Tom"]);
  });

  test("is back as soon as the phone asks again, in its old place", async () => {
    const [early, late] = [newKey(), newKey()];
    await ask(early, "Early");
    await ask(late, "Late");
    await fallSilent(6);
    expect(await poll(late)).toMatchObject(waiting);
    expect(await shown()).toEqual(["Late"]);
    expect(await ask(early)).toMatchObject(waiting);
    expect(await shown()).toEqual(["Early", "Late"]);
  });

  test("comes back only where there is room, and keeps the request", async () => {
    const key = newKey();
    await ask(key);
    await fallSilent(6);
    await fillCode();
    expect(await poll(key)).toMatchObject(noRoom);
    await fallSilent(6);
    expect(await poll(key)).toMatchObject(waiting);
  });

  test("and is silent is not admitted with everybody, but when the phone asks again meanwhile", async () => {
    const key = newKey();
    await ask(key);
    await fallSilent(6);
    const admitting = { params: { id: code._id }, body: { admitting: true } };
    await server.admin.call(contract.admitAll, admitting);
    const { invitations } = await server.admin.call(contract.listInvitations, {
      params: { sessionId: scene.session._id },
    });
    expect(invitations).toEqual([]);
    expect(await poll(key)).toMatchObject({ status: 200, body: { request: { status: "admitted" } } });
  });

  test("is told of a decline however long the phone was silent", async () => {
    const key = newKey();
    await ask(key);
    await server.database.pool.query(
      "update join_requests set declined_at = now() where invitation_id is null",
    );
    await fallSilent(60);
    expect(await poll(key)).toMatchObject({ status: 200, body: { request: { status: "declined" } } });
  });
});

describe("after the database's clock was set back by a day", () => {
  const setBack = (statement: string) => server.database.pool.query(statement);

  test("a door that was open for half an hour admits nobody unseen any more", async () => {
    await server.admin.call(contract.admitAll, { params: { id: code._id }, body: { admitting: true } });
    await resetAskingAhead(server.database.database);
    expect((await ask(newKey(), "Ida")).body).toMatchObject({ request: { status: "admitted" } });
    await setBack("update session_codes set admit_until = admit_until + interval '1 day'");
    await resetAskingAhead(server.database.database);
    expect((await ask(newKey())).body).toMatchObject(waiting.body);
  });

  test("a phone that has gone silent takes up no room for longer than otherwise", async () => {
    await ask(newKey());
    await setBack(
      "update join_requests set asked_at = asked_at + interval '1 day', heard_at = heard_at + interval '1 day'",
    );
    await resetAskingAhead(server.database.database);
    await fallSilent(6);
    expect(await shown()).toEqual([]);
  });
});
