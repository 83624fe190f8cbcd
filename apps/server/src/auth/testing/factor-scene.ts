import * as contract from "@stocktake/contract";
import { Secret, TOTP } from "otpauth";
import type { SliceRoutes } from "../../assembly/app.ts";
import { systemClock } from "../../kernel/clock.ts";
import { TestApi } from "../../testing/test-api.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { findAdmin } from "../account-queries.ts";
import { authRoutes } from "../routes.ts";
import { askForSecondFactor } from "../second-factor/challenges.ts";
import { SoftwarePasskey } from "./software-passkey.ts";

const now = Date.parse("2026-03-01T08:00:10.000Z");

/** The calls of signing in, at one moment that does not pass: the codes of a test are of the steps that it names. */
export const stillAuthRoutes: SliceRoutes = (app, context) =>
  authRoutes(app, { ...context, clock: { ...systemClock, now: () => now } });

/** The code that an app with this secret shows, so many steps from now. */
export function codeOf(secret: string, steps = 0, at = now): string {
  const timestamp = at + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Adds an authenticator app, whose first code is of the step before this one; returns its secret and the recovery codes. */
export async function addAuthenticator(
  api: TestApi,
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const { secret } = await api.call(contract.beginAuthenticator, {});
  const body = { code: codeOf(secret, -1) };
  const { recoveryCodes } = await api.call(contract.confirmAuthenticator, { body });
  return { secret, recoveryCodes };
}

/** The server's site as a browser names it; the software passkeys of a test server are for localhost. */
export function siteOf({ url }: TestServer) {
  const { port } = new URL(url);
  return { rpId: "localhost", origin: `http://localhost:${port}` };
}

/** The same visitor who reached the server by its name. */
export function byName(server: TestServer, token: string | null): TestApi {
  return new TestApi(siteOf(server).origin, token);
}

export async function addPasskey(
  server: TestServer,
  api: Pick<TestApi, "call">,
  name = "Key ring",
): Promise<SoftwarePasskey> {
  const { creation } = await api.call(contract.beginPasskey, {});
  const passkey = new SoftwarePasskey(siteOf(server));
  await api.call(contract.addPasskey, { body: { name, passkey: passkey.create(creation) } });
  return passkey;
}

/** What is asked of whoever gave the right password, without the time that hashing one takes. */
export async function challengeOf(server: TestServer): Promise<string> {
  const question = await server.database.database.transaction().execute(async (transaction) => {
    const admin = await findAdmin(transaction);
    return askForSecondFactor(transaction, admin?.id ?? "", null);
  });
  if (question === null) throw new Error("There is no second factor to be asked for.");
  return question.challenge;
}

/** Shows a second factor after the right password. */
export async function signInWith(server: TestServer, factor: contract.SecondFactor) {
  const challenge = await challengeOf(server);
  return server.stranger.send(contract.finishAdminLogin, { body: { challenge, factor } });
}
