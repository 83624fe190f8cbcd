import * as contract from "@stocktake/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AdminCaller } from "../../kernel/caller.ts";
import { route, succeeded } from "../../kernel/route.ts";
import { isReachedByHttps, setLoginCookie } from "../login-cookie.ts";
import { presentUser } from "../present.ts";
import { logSignIn } from "../sign-in-trace.ts";
import { askForPasskeyAtSignIn, finishSignIn } from "./finish-sign-in.ts";
import * as factors from "./manage-factors.ts";
import { askForPasskey } from "./passkeys.ts";
import { giveProof, requireProof } from "./proof.ts";
import { passkeyProblem, relyingParty } from "./relying-party.ts";
import { chooseProof, readSecurity } from "./security.ts";
import type { SecondFactorServices } from "./services.ts";

/** The administrator's second factors: signing in with one, proving oneself again, and what there is of them. */
export function secondFactorRoutes(app: FastifyInstance, services: SecondFactorServices): void {
  signInRoutes(app, services);
  proofRoutes(app, services);
  authenticatorRoutes(app, services);
  passkeyRoutes(app, services);
}

const partyOf =
  ({ config }: SecondFactorServices, request: FastifyRequest) =>
  () =>
    relyingParty(request, config.publicUrl);

function securityOf(
  { config, database }: SecondFactorServices,
  caller: AdminCaller,
  request: FastifyRequest,
) {
  return readSecurity(database, caller, passkeyProblem(request, config.publicUrl));
}

function signInRoutes(app: FastifyInstance, services: SecondFactorServices): void {
  const secure = isReachedByHttps(services.config);

  route(app, contract.finishAdminLogin, async ({ body, request, reply }) => {
    const shown = { ...body, party: partyOf(services, request) };
    const login = await services.trace.follow(request, "second_factor", () =>
      finishSignIn(services, shown, request),
    );
    logSignIn(request, login);
    setLoginCookie(reply, login, secure);
    await services.marks.remember(reply, login.caller);
    return { user: presentUser(login.caller) };
  });

  route(app, contract.requestPasskeyForLogin, async ({ body, request }) => ({
    request: await askForPasskeyAtSignIn(services, body.challenge, partyOf(services, request)),
  }));
}

function proofRoutes(app: FastifyInstance, services: SecondFactorServices): void {
  const { database } = services;

  route(app, contract.giveProof, async ({ body, caller, request }) => {
    const visit = { caller, ip: request.ip, deviceMark: request.deviceMark };
    const given = { visit, proof: body, party: partyOf(services, request) };
    const kind = body.method === "password" ? "password_change" : "second_factor";
    const until = await services.trace.follow(request, kind, () => giveProof(services, given), "proof");
    return { provedUntil: until.toISOString() };
  });

  route(app, contract.requestPasskeyForProof, async ({ caller, request }) => {
    const party = partyOf(services, request)();
    return {
      request: await database
        .transaction()
        .execute((transaction) =>
          askForPasskey(transaction, party, { userId: caller.userId, purpose: "proof" }),
        ),
    };
  });

  route(app, contract.readSecurity, async ({ caller, request }) => ({
    security: await securityOf(services, caller, request),
  }));

  route(app, contract.chooseProof, async ({ body, caller, request }) => {
    await requireProof(database, caller);
    await chooseProof(database, caller, body.proofBeforeMoves);
    return { security: await securityOf(services, caller, request) };
  });
}

function authenticatorRoutes(app: FastifyInstance, services: SecondFactorServices): void {
  const { database } = services;

  route(app, contract.beginAuthenticator, async ({ caller }) => {
    await requireProof(database, caller);
    return factors.beginAuthenticator(services, caller);
  });

  route(app, contract.confirmAuthenticator, async ({ body, caller, request }) => {
    await requireProof(database, caller);
    const recoveryCodes = await factors.confirmAuthenticator(services, caller, body.code);
    return { security: await securityOf(services, caller, request), recoveryCodes };
  });

  route(app, contract.removeAuthenticator, async ({ caller }) => {
    await requireProof(database, caller);
    await factors.removeAuthenticator(services, caller);
    return succeeded;
  });

  route(app, contract.renewRecoveryCodes, async ({ caller }) => {
    await requireProof(database, caller);
    return { recoveryCodes: await factors.renewCodes(services, caller) };
  });
}

function passkeyRoutes(app: FastifyInstance, services: SecondFactorServices): void {
  const { database } = services;

  route(app, contract.beginPasskey, async ({ caller, request }) => {
    await requireProof(database, caller);
    return { creation: await factors.beginPasskey(services, caller, partyOf(services, request)()) };
  });

  route(app, contract.addPasskey, async ({ body, caller, request }) => {
    await requireProof(database, caller);
    const party = partyOf(services, request)();
    const recoveryCodes = await factors.addPasskey(services, caller, { ...body, party });
    return { security: await securityOf(services, caller, request), recoveryCodes };
  });

  route(app, contract.removePasskey, async ({ caller, params }) => {
    await requireProof(database, caller);
    await factors.removePasskey(services, caller, params.id);
    return succeeded;
  });
}
