import * as contract from "@stocktake/contract";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import type { Answered } from "../testing/test-api.ts";
import type { TestServer } from "../testing/test-server.ts";

/** A server with one store and a session that runs in it. */
export interface InvitationScene {
  readonly server: TestServer;
  readonly store: TestStore;
  readonly session: contract.CountingSession;
}

/** Clears away what earlier tests left, and starts anew. */
export async function setScene(server: TestServer): Promise<InvitationScene> {
  await endSessions(server);
  await server.database.pool.query("update stores set deleted_at = now(); delete from outbox_mails");
  const store = await makeStore(server);
  return { server, store, session: await begin(server, store) };
}

export async function endSessions(server: TestServer): Promise<void> {
  await server.database.pool.query(
    "update sessions set status = 'closed', ended_at = now() where status <> 'closed'",
  );
}

export interface GivenInvitation {
  readonly sessionId?: string;
  readonly storeId?: string;
  readonly email?: string;
  readonly counterName?: string;
  readonly locationId?: string | null;
  readonly onlyOnce?: boolean;
}

/** Invites Ada to the scene's session, by default. */
export function send(
  { server, store, session }: InvitationScene,
  given: GivenInvitation = {},
): Promise<Answered> {
  const usual = { sessionId: session._id, storeId: store.id, email: "ada@example.com", counterName: "Ada" };
  return server.admin.send(contract.createInvitation, { body: { ...usual, ...given } });
}

/** Invites, and returns the invitation and the token that the outbox holds. */
export async function invite(scene: InvitationScene, given: GivenInvitation = {}) {
  const { invitation } = contract.createInvitation.answer.parse((await send(scene, given)).body);
  const { mails } = await scene.server.admin.call(contract.listOutboxMails, {});
  return { invitation, token: mails[0]?.link.split("/").at(-1) ?? "" };
}

export async function listInvitations({ server, session }: InvitationScene): Promise<contract.Invitation[]> {
  const params = { sessionId: session._id };
  return (await server.admin.call(contract.listInvitations, { params })).invitations;
}

/** Accepts as `visitor`, who is a stranger by default. */
export function accept(
  { server }: InvitationScene,
  token: string,
  visitor = server.stranger,
): Promise<Answered> {
  return visitor.send(contract.acceptInvitation, { params: { token } });
}
