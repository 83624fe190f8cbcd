import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashToken } from "../../auth/tokens.ts";
import { drawsPerCommitment, seedOf } from "../../passes/samples/seeds.ts";
import type { Answered } from "../../testing/test-api.ts";
import {
  adminPassword,
  startTestServer,
  type TestServer,
  tokenOf,
  webhookSecret,
} from "../../testing/test-server.ts";
import { givenTo, make, type Scene, samples, setScene } from "./testing.ts";
import { sendRaw } from "./testing-raw.ts";

const logged: string[] = [];
const log = new Writable({
  write(line: Buffer, _encoding, done) {
    logged.push(line.toString());
    done();
  },
});

let server: TestServer;
let scene: Scene;

beforeAll(async () => {
  server = await startTestServer({ environment: { logger: pino({ level: "info" }, log) } });
  scene = await setScene(server);
});
afterAll(() => server.close());

/** All that a client could read of an answer, but for the cookie that is its own. */
function readable({ headers, body }: Answered): string {
  const others = [...headers].filter(([name]) => name !== "set-cookie");
  return JSON.stringify([others, body]);
}

test("no answer and no line of the log holds a password, a token or what is stored of them", async () => {
  const { database } = server.database;
  const { sessionId, storeId } = scene.place;
  const wrong = `wrong-${randomUUID()}`;
  const password = `right-${randomUUID()}`;
  const username = `Counter ${randomUUID()}`;
  const answers: Answered[] = [];
  const keep = async (answer: Promise<Answered>) => {
    answers.push(await answer);
    return answer;
  };

  // Whatever has to do with secrets, rightly and wrongly.
  await keep(make(server.stranger, contract.adminLogin, { body: { password: wrong } }));
  await keep(make(server.stranger, contract.adminLogin, { body: { password: [wrong] } }));
  const admin = await keep(make(server.stranger, contract.adminLogin, { body: { password: adminPassword } }));
  await keep(make(server.admin, contract.createCounter, { body: { username, password } }));
  await keep(make(server.admin, contract.createCounter, { body: { username, password } }));
  const counter = await keep(make(server.stranger, contract.counterLogin, { body: { username, password } }));
  const change = { currentPassword: wrong, newPassword: password };
  await keep(make(server.admin, contract.changeAdminPassword, { body: change }));
  const guest = { sessionId, storeId, email: "ada@example.com", counterName: "Ada" };
  await keep(make(server.admin, contract.createInvitation, { body: guest }));
  const { mails } = await server.admin.call(contract.listOutboxMails, {});
  const token = mails[0]?.link.split("/").at(-1) ?? "";
  await keep(make(server.stranger, contract.readInvitation, { params: { token } }));
  const guestLogin = await keep(make(server.stranger, contract.acceptInvitation, { params: { token } }));
  const deviceKey = `key-${randomUUID()}`;
  const device = { sessionId, deviceId: "a phone with a key" };
  const told = { ...device, pending: 1, pendingOrder: 1 };
  await keep(server.admin.send(contract.reportQueue, { body: { ...told, deviceKey } }));
  await keep(
    server.admin.send(contract.reportQueue, { body: { ...told, deviceKey: `${deviceKey} and more` } }),
  );
  const query = { ...device, tellsQueue: "true" as const, pending: "1", pendingOrder: "2" };
  for (const key of [deviceKey, `${deviceKey} and more`])
    await keep(server.admin.send(contract.deviceMaxSequence, { query }, { [contract.deviceKeyHeader]: key }));
  await keep(sendRaw(server.url, `/api/auth/invite/${token}/nothing`));
  // Whatever else there is to read.
  const reading = samples.filter(({ call }) => call.method === "GET");
  for (const { call } of reading.filter(
    (entry) => ![contract.events, contract.listOutboxMails].includes(entry.call as never),
  )) {
    await keep(make(server.admin, call, givenTo(call, scene.place)));
  }
  await keep(sendRaw(server.url, "/api/openapi.json"));

  const { rows } = await sql<{ hash: string }>`
    select password_hash as hash from users where password_hash is not null`.execute(database);
  const { rows: ofSamples } = await sql<{ secret: Buffer }>`select secret from sample_secrets`.execute(
    database,
  );
  expect(ofSamples.length).toBeGreaterThan(0);
  const seeds = ofSamples.flatMap(({ secret }) => [
    ...[secret.toString("hex"), secret.toString("base64"), secret.toString("base64url")],
    ...Array.from({ length: drawsPerCommitment }, (_nothing, draw) => seedOf(secret, draw + 1)),
  ]);
  const tokens = [admin, counter, guestLogin].map(({ headers }) => tokenOf(headers));
  const hashes = [...tokens, token, deviceKey].map(hashToken);
  const secrets = [
    ...[
      wrong,
      password,
      adminPassword,
      token,
      deviceKey,
      ...tokens,
      "$argon2",
      ...rows.map(({ hash }) => hash),
    ],
    ...hashes.flatMap((hash) => [hash.toString("hex"), hash.toString("base64"), hash.toString("base64url")]),
    ...seeds,
    ...[webhookSecret, server.emulator.credentials.accessToken],
  ];
  expect(secrets.every((secret) => secret.length > 6)).toBe(true);
  expect(answers.length).toBeGreaterThan(30);
  expect(logged.length).toBeGreaterThan(0);
  const texts = [...answers.map(readable).filter((text) => !text.includes(`/${token}/nothing`)), ...logged];
  for (const text of texts) {
    expect([text, secrets.filter((secret) => text.includes(secret))]).toEqual([text, []]);
  }
});
