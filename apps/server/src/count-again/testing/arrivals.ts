import { randomBytes } from "node:crypto";
import * as contract from "@stocktake/contract";
import { loginCookie } from "../../auth/authentication.ts";
import type { TestMailServer } from "../../mail/testing.ts";
import type { TestStore } from "../../testing/scenes.ts";
import type { Answered } from "../../testing/test-api.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { RecordingApi } from "./recording-api.ts";

/** Where phones count. */
export interface CountedSession {
  readonly server: TestServer;
  readonly mailServer: TestMailServer;
  readonly store: TestStore;
  readonly session: contract.CountingSession;
}

/** Somebody who has signed in on a phone. */
export interface Arrival {
  /** The phone before that. */
  readonly visitor: RecordingApi;
  readonly api: RecordingApi;
  /** The mails that they got, with their headers. */
  readonly mails: readonly string[];
}

/** By the link of a mail. */
export async function arriveByInvitation(scene: CountedSession, counterName: string): Promise<Arrival> {
  const { server, store, session, mailServer } = scene;
  const email = `${counterName.toLowerCase()}@example.com`;
  const given = { sessionId: session._id, storeId: store.id, email, counterName };
  await server.admin.call(contract.createInvitation, { body: given });
  const mails = mailServer.mails
    .filter(({ to }) => to.includes(email))
    .map(({ headers, body }) => [...headers, body].join("\n"));
  const token = /\/counter\/invite\/([\w-]{43})/.exec(mails.join("\n"))?.[1] ?? "";
  const visitor = new RecordingApi(server.url, null);
  await visitor.call(contract.readInvitation, { params: { token } });
  return signedIn(visitor, await visitor.send(contract.acceptInvitation, { params: { token } }), mails);
}

/** By the session's code, once the administrator has admitted them. */
export async function arriveByCode(scene: CountedSession, counterName: string): Promise<Arrival> {
  const { server, session } = scene;
  const ofSession = { params: { sessionId: session._id } };
  const { code } = await server.admin.call(contract.openSessionCode, ofSession);
  const byCode = { params: { token: code.link.split("/").at(-1) ?? "" } };
  const visitor = new RecordingApi(server.url, null);
  await visitor.call(contract.readCode, byCode);
  const key = randomBytes(32).toString("base64url");
  await visitor.call(contract.askToJoin, { ...byCode, body: { counterName, key } });
  const { requests } = await server.admin.call(contract.readSessionCode, ofSession);
  for (const { _id: id } of requests) await server.admin.call(contract.admitPerson, { params: { id } });
  await visitor.call(contract.readJoinRequest, { params: { key } });
  return signedIn(visitor, await visitor.send(contract.acceptInvitation, { params: { token: key } }), []);
}

/** By an account of their own, on two other devices too: one login is ended by its id, the rest by one call. */
export async function arriveByPassword({ server }: CountedSession, username: string): Promise<Arrival> {
  const body = { username, password: "a password for counting" };
  await server.admin.call(contract.createCounter, { body });
  const visitor = new RecordingApi(server.url, null);
  const signIn = () => visitor.send(contract.counterLogin, { body });
  for (let others = 0; others < 2; others += 1) await signIn();
  const arrival = signedIn(visitor, await signIn(), []);
  const { logins } = await arrival.api.call(contract.listLogins, {});
  const id = logins.at(-1)?._id ?? "";
  await arrival.api.call(contract.endOwnLogin, { params: { id } });
  await arrival.api.call(contract.endOtherLogins, {});
  return arrival;
}

function signedIn(visitor: RecordingApi, { headers }: Answered, mails: readonly string[]): Arrival {
  const token = new RegExp(`${loginCookie}=([^;]+)`).exec(headers.get("set-cookie") ?? "")?.[1];
  if (token === undefined) throw new Error("Nobody was signed in.");
  return { visitor, api: new RecordingApi(visitor.url, token), mails };
}
