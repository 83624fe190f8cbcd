import * as contract from "@stocktake/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { linkOrigin } from "../../kernel/origin.ts";
import { route, succeeded } from "../../kernel/route.ts";
import { visitorAddress } from "../../kernel/visitor-address.ts";
import type { InvitationServices } from "../services.ts";
import { admitAll, admitPerson, declinePerson } from "./admit.ts";
import { askToJoin, readJoinRequest } from "./ask-to-join.ts";
import { openSessionCode, readSessionCode, revokeSessionCode } from "./manage-code.ts";
import { type OpenCode, requireCode } from "./queries.ts";

/** The session code: opening it, asking by it, and admitting who asked. */
export function sessionCodeRoutes(app: FastifyInstance, services: InvitationServices): void {
  managingRoutes(app, services);
  admittingRoutes(app, services);
  askingRoutes(app, services);
}

function managingRoutes(app: FastifyInstance, services: InvitationServices): void {
  const { config, database } = services;
  const originOf = (request: FastifyRequest) => linkOrigin(request, config.publicUrl);
  route(app, contract.readSessionCode, async ({ params, request }) => {
    const { code, requests } = await readSessionCode(database, params.sessionId);
    return { code: code === null ? null : presentCode(code, originOf(request)), requests: [...requests] };
  });
  route(app, contract.openSessionCode, async ({ caller, params, request }) => {
    const origin = originOf(request);
    return { code: presentCode(await openSessionCode(services, caller, params.sessionId), origin) };
  });
  route(app, contract.revokeSessionCode, async ({ caller, params }) => {
    await revokeSessionCode(services, caller, params.id);
    return succeeded;
  });
  route(app, contract.admitAll, async ({ caller, params, body, request }) => {
    const origin = originOf(request);
    return { code: presentCode(await admitAll(services, caller, params.id, body.admitting), origin) };
  });
}

function admittingRoutes(app: FastifyInstance, services: InvitationServices): void {
  route(app, contract.admitPerson, async ({ caller, params }) => {
    await admitPerson(services, caller, params.id);
    return succeeded;
  });
  route(app, contract.declinePerson, async ({ caller, params }) => {
    await declinePerson(services, caller, params.id);
    return succeeded;
  });
}

function askingRoutes(app: FastifyInstance, services: InvitationServices): void {
  const { database } = services;
  route(app, contract.readCode, async ({ params }) => {
    const { storeName, startedAt } = await requireCode(database, params.token);
    return { code: { store: { name: storeName }, session: { startedAt: startedAt.toISOString() } } };
  });
  route(app, contract.askToJoin, async ({ params, body, request }) => {
    const asking = { ...body, address: visitorAddress(request.ip) };
    return { request: await askToJoin(services, params.token, asking) };
  });
  route(app, contract.readJoinRequest, async ({ params }) => ({
    request: await readJoinRequest(services, params.key),
  }));
}

function presentCode({ id, token, createdAt, admitUntil }: OpenCode, origin: string): contract.SessionCode {
  return {
    _id: id,
    link: `${origin}/counter/join/${token}`,
    createdAt: createdAt.toISOString(),
    admitUntil: admitUntil?.toISOString() ?? null,
  };
}
