import type { FastifyServerOptions } from "fastify";
import type { Config } from "../../kernel/config.ts";

/**
 * Without addresses only the entry of the proxy that calls us is trusted. What comes before it in X-Forwarded-For is the
 * visitor's own text: trusted, it would let anybody guess at passwords from a new address each time.
 */
function trustsNearest(_address: string, hop: number): boolean {
  return hop === 0;
}

/** Which proxies' words about a visitor's address, host and protocol are believed. */
export function trustedProxies({
  trustProxy,
}: Pick<Config, "trustProxy">): NonNullable<FastifyServerOptions["trustProxy"]> {
  if (typeof trustProxy === "boolean") return trustProxy ? trustsNearest : false;
  return [...trustProxy];
}
