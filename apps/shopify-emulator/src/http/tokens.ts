import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import { jsonReply, type Reply } from "./exchange.ts";

/** Seconds, as the platform states the life of a token. */
const TOKEN_LIFE = 24 * 60 * 60 - 1;

const SCOPES = "read_products,read_inventory,write_inventory,read_locations";

export interface AppCredentials {
  /** A token that never ends, as a custom app's. */
  readonly accessToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The tokens that open the Admin API. */
export class Tokens {
  private readonly credentials: AppCredentials;
  private readonly clock: Clock;
  private readonly granted = new Map<string, number>();

  constructor(credentials: AppCredentials, clock: Clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  opens(token: string | undefined): boolean {
    if (token === this.credentials.accessToken) return true;
    const end = token === undefined ? undefined : this.granted.get(token);
    return end !== undefined && this.clock() < end;
  }

  /** Ends every granted token now; the static one stays. */
  revoke(): void {
    this.granted.clear();
  }

  /** POST /admin/oauth/access_token with a form or JSON body. */
  grant(contentType: string | undefined, body: string): Reply {
    const fields = contentType?.includes("json") ? readJsonForm(body) : new URLSearchParams(body);
    if (fields.get("grant_type") !== "client_credentials") {
      return jsonReply(
        { error: "unsupported_grant_type", error_description: "Use client_credentials." },
        400,
      );
    }
    const { clientId, clientSecret } = this.credentials;
    if (fields.get("client_id") !== clientId || fields.get("client_secret") !== clientSecret) {
      const error_description = "The client id or the client secret is wrong.";
      return jsonReply({ error: "invalid_client", error_description }, 401);
    }
    const token = `shpat_${randomBytes(16).toString("hex")}`;
    this.granted.set(token, this.clock() + TOKEN_LIFE * 1000);
    return jsonReply({ access_token: token, scope: SCOPES, expires_in: TOKEN_LIFE });
  }
}

function readJsonForm(body: string): URLSearchParams {
  const parsed: unknown = JSON.parse(body);
  const fields = new URLSearchParams();
  if (typeof parsed !== "object" || parsed === null) return fields;
  for (const [name, value] of Object.entries(parsed)) if (typeof value === "string") fields.set(name, value);
  return fields;
}
