import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { isReachedByHttps, presentUser, setLoginCookie } from "../auth/auth.ts";
import { ownOrigin } from "../kernel/origin.ts";
import { route, succeeded } from "../kernel/route.ts";
import { readOutbox } from "../mail/mail.ts";
import { acceptInvitation, readInvitation } from "./accept-invitation.ts";
import { createInvitation } from "./create-invitation.ts";
import { listInvitations, revokeInvitation } from "./manage-invitations.ts";
import type { InvitationServices } from "./services.ts";

/** Inviting counters, and joining by an invitation. */
export function invitationRoutes(app: FastifyInstance, context: InvitationServices): void {
  managingRoutes(app, context);
  joiningRoutes(app, context);
}

function managingRoutes(
  app: FastifyInstance,
  { config, database, mailer, events }: InvitationServices,
): void {
  route(app, contract.listInvitations, async ({ params }) => ({
    invitations: await listInvitations(database, params.sessionId),
  }));

  route(app, contract.createInvitation, async ({ caller, body, request }) => {
    const origin = config.publicUrl?.origin ?? ownOrigin(request);
    const sent = await createInvitation({ database, mailer }, caller, body, origin);
    if (sent.delivery === "outbox") {
      request.log.info(
        { invitationId: sent.invitation._id },
        "No mail server is configured: an invitation waits in the outbox, which the administrator can open",
      );
    }
    events.publish({ type: "invitation", sessionId: body.sessionId, storeId: body.storeId });
    return sent;
  });

  route(app, contract.revokeInvitation, async ({ caller, params }) => {
    const { sessionId, storeId } = await revokeInvitation(database, caller, params.id);
    events.publish({ type: "invitation", sessionId, storeId });
    return succeeded;
  });

  route(app, contract.listOutboxMails, async () => ({
    mails: mailer.kind === "outbox" ? await readOutbox(database) : [],
  }));
}

function joiningRoutes(app: FastifyInstance, { config, database, events }: InvitationServices): void {
  const secure = isReachedByHttps(config);

  route(app, contract.readInvitation, async ({ params }) => ({
    invitation: await readInvitation(database, params.token),
  }));

  route(app, contract.acceptInvitation, async ({ params, request, reply }) => {
    const accepted = await acceptInvitation(database, params.token, request.caller);
    const { login, invitationData, sessionId } = accepted;
    setLoginCookie(reply, login, secure);
    events.publish({ type: "invitation", sessionId, storeId: invitationData.storeId });
    return { user: presentUser(login.caller), invitationData };
  });
}
