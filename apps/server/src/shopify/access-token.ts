import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { jsonOrUndefined } from "../kernel/json.ts";
import type { PlatformFailure } from "./errors.ts";
import { type Fetch, postOnce } from "./http-exchange.ts";

/** How this server signs in to the shop: with a token given once, or with an app's credentials. */
export type ShopifyAuth =
  | { kind: "token"; accessToken: string }
  | { kind: "client-credentials"; clientId: string; clientSecret: string };

interface AccessToken {
  kind: "token";
  token: string;
}

/** Where a call gets the token for its header. */
export interface AccessTokens {
  /** A token that has not expired or been refused; calls at the same time share one request for it. */
  current(): Promise<AccessToken | PlatformFailure>;
  /**
   * A newer token than the one the platform has just refused with 401, or null where there can be none.
   */
  insteadOf(refused: string): Promise<AccessToken | PlatformFailure | null>;
}

export interface AccessTokenOptions {
  apiUrl: string;
  auth: ShopifyAuth;
  fetch: Fetch;
  clock: Clock;
  timeoutMs: number;
}

export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { auth } = options;
  if (auth.kind === "client-credentials") return renewedTokens(options, auth);
  const given: AccessToken = { kind: "token", token: auth.accessToken };
  return { current: async () => given, insteadOf: async () => null };
}

interface HeldToken extends AccessToken {
  renewAt: number;
  endsAt: number;
}

type Credentials = Extract<ShopifyAuth, { kind: "client-credentials" }>;

function renewedTokens(options: AccessTokenOptions, auth: Credentials): AccessTokens {
  const { clock } = options;
  let held: HeldToken | null = null;
  let underWay: Promise<HeldToken | PlatformFailure> | null = null;

  async function renew(): Promise<HeldToken | PlatformFailure> {
    const answer = await requestToken(options, auth);
    if (answer.kind === "token") held = answer;
    return answer;
  }

  function renewShared(): Promise<HeldToken | PlatformFailure> {
    underWay ??= renew().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  return {
    async current() {
      if (held !== null && clock.now() < held.renewAt) return held;
      const answer = await renewShared();
      // A renewal that fails early costs nothing while the old token still lives.
      return answer.kind !== "token" && held !== null && clock.now() < held.endsAt ? held : answer;
    },
    async insteadOf(refused) {
      if (held !== null && held.token === refused) held = null;
      return held ?? renewShared();
    },
  };
}

const tokenAnswerSchema = z.object({
  access_token: z.string().min(1),
  // Documented as 86399; a day where it is missing.
  expires_in: z.number().positive().default(86_400),
});

/** One request for a token. It outlives the call that asked, because others may wait for the same one. */
async function requestToken(
  { apiUrl, fetch, clock, timeoutMs }: AccessTokenOptions,
  { clientId, clientSecret }: Credentials,
): Promise<HeldToken | PlatformFailure> {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const answer = await postOnce(fetch, clock, {
    url: new URL("/admin/oauth/access_token", apiUrl).href,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams(form).toString(),
    timeoutMs,
  });
  return answer.kind === "body" ? readToken(answer.text, clock.now()) : signInFailure(answer);
}

/** A refused sign-in arrives as 400 too: wrong credentials, or an app that is not installed. */
function signInFailure(failure: PlatformFailure): PlatformFailure {
  const detail = `signing in: ${failure.detail}`;
  if (failure.kind !== "rejected") return { ...failure, detail };
  return { kind: "unauthorised", detail, tokenRefused: true };
}

function readToken(text: string, now: number): HeldToken | PlatformFailure {
  const answer = tokenAnswerSchema.safeParse(jsonOrUndefined(text));
  if (!answer.success) return { kind: "unexpected-answer", detail: "signing in: no token in the answer" };
  const lifeMs = answer.data.expires_in * 1000;
  // Of 24 hours the last is left unused: a call that is under way must not see its token end.
  return {
    kind: "token",
    token: answer.data.access_token,
    renewAt: now + (lifeMs * 23) / 24,
    endsAt: now + lifeMs,
  };
}
