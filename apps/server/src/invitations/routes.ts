import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../audit/audit.ts";
import { isReachedByHttps, logLoginsEnded, logSignIn, presentUser, setLoginCookie } from "../auth/auth.ts";
import { linkOrigin } from "../kernel/origin.ts";
import { route, succeeded } from "../kernel/route.ts";
import { readOutbox } from "../mail/mail.ts";
import { acceptInvitation, readInvitation } from "./accept-invitation.ts";
import { createInvitation } from "./create-invitation.ts";
import { listEarlierCounters, listInvitations, revokeInvitation } from "./manage-invitations.ts";
import type { InvitationServices } from "./services.ts";
import { sessionCodeRoutes } from "./session-code/routes.ts";
import { listWaiting } from "./waiting-invitations.ts";

/** Inviting counters, and joining by an invitation. */
export function invitationRoutes(app: FastifyInstance, services: InvitationServices): void {
  managingRoutes(app, services);
  joiningRoutes(app, services);
  sessionCodeRoutes(app, services);
}

function managingRoutes(app: FastifyInstance, services: InvitationServices): void {
  const { config, database } = services;

  route(app, contract.listInvitations, async ({ params, query }) => {
    const { items: invitations, ...page } = await listInvitations(database, params.sessionId, query);
    const isFirst = query.cursor === undefined;
    return {
      invitations,
      ...(isFirst ? { waiting: await listWaiting(database, params.sessionId) } : {}),
      ...page,
    };
  });

  route(app, contract.listEarlierCounters, async ({ params }) => ({
    counters: await listEarlierCounters(database, params.sessionId),
  }));
  route(app, contract.createInvitation, async ({ caller, body, request }) => {
    const origin = linkOrigin(request, config.publicUrl);
    const sent = await createInvitation(services, actorOf(caller), body, origin);
    if (sent.delivery === "outbox") {
      request.log.info(
        { invitationId: sent.invitation._id },
        "No mail server is configured: an invitation waits in the outbox, which the administrator can open",
      );
    }
    return sent;
  });

  route(app, contract.revokeInvitation, async ({ caller, params, request }) => {
    await revokeInvitation(services, caller, params.id);
    logLoginsEnded(request, { invitationId: params.id }, "invitation_revoked");
    return succeeded;
  });

  route(app, contract.listOutboxMails, async ({ query }) => {
    const { items: mails, ...page } = await readOutbox(database, query);
    return { mails, ...page };
  });
}

function joiningRoutes(app: FastifyInstance, services: InvitationServices): void {
  const { config, database } = services;
  const secure = isReachedByHttps(config);

  route(app, contract.readInvitation, async ({ params }) => ({
    invitation: await readInvitation(database, params.token),
  }));

  route(app, contract.acceptInvitation, async ({ params, request, reply }) => {
    const { login, invitationData } = await acceptInvitation(services, params.token, request.caller);
    logSignIn(request, login);
    setLoginCookie(reply, login, secure);
    return { user: presentUser(login.caller), invitationData };
  });
}
