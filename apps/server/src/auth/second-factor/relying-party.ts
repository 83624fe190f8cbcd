import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";
import { ownOrigin } from "../../kernel/origin.ts";

/** The site that a passkey is for: it works at that host alone, whatever port, and browsers tell where it is used. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Where the product is reached by this request, as a browser sees it. */
function siteOf(request: FastifyRequest, publicUrl: URL | null): URL | null {
  const origin = publicUrl?.origin ?? ownOrigin(request);
  return URL.canParse(origin) ? new URL(origin) : null;
}

/** Why there can be no passkey here, in a sentence for the administrator; null where there can. */
export function passkeyProblem(request: FastifyRequest, publicUrl: URL | null): string | null {
  const site = siteOf(request, publicUrl);
  if (site === null || isIP(site.hostname.replace(/^\[(.*)\]$/, "$1")) !== 0) {
    return "Passkeys need a host name, and this address is a number. Open Stocktake by a name, such as https://stocktake.example.com.";
  }
  if (site.protocol === "https:" || isLocal(site.hostname)) return null;
  return "Browsers take passkeys over https only, and this address is http.";
}

function isLocal(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

/** @throws ApiError PASSKEYS_UNAVAILABLE with the reason. */
export function relyingParty(request: FastifyRequest, publicUrl: URL | null): RelyingParty {
  const problem = passkeyProblem(request, publicUrl);
  const site = siteOf(request, publicUrl);
  if (problem !== null || site === null) throw new ApiError("PASSKEYS_UNAVAILABLE", problem ?? "");
  return { id: site.hostname, origin: site.origin };
}
