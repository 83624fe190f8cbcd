import type { Finding } from "@stocktake/contract";
import type { Config } from "../kernel/config.ts";
import { ok, warning } from "./finding.ts";

export type Checked = Pick<Config, "publicUrl" | "trustProxy" | "host" | "shopify">;

const loopback = /^(?:localhost|127\..*|\[?::1\]?|.*\.localhost)$/;

function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** What is allowed, and yet will not do what people expect. `uid` is the user that the server runs as. */
export function checkConfiguration(config: Checked, uid = process.getuid?.()): Finding[] {
  const findings = [addressOf(config), proxyOf(config), transportOf(config), userOf(uid)];
  const problems = findings.flatMap((finding) => finding ?? []);
  return problems.length > 0 ? problems : [ok("configuration", "The configuration is complete.")];
}

function addressOf({ publicUrl }: Checked): Finding | null {
  if (publicUrl === null) {
    return warning(
      "configuration",
      "PUBLIC_URL is not set: links in invitations begin with the address that the administrator's browser uses.",
      "Set PUBLIC_URL to the https address that phones use.",
    );
  }
  if (publicUrl.protocol === "https:" || isLoopback(publicUrl.hostname)) return null;
  return warning(
    "configuration",
    "PUBLIC_URL is not https: phones can't scan with their camera and can't reload the app while they are offline.",
    "Put a proxy with TLS in front and set PUBLIC_URL to its https address.",
  );
}

function proxyOf({ publicUrl, trustProxy, host }: Checked): Finding | null {
  if (publicUrl?.protocol === "https:" && trustProxy === false) {
    return warning(
      "configuration",
      "TRUST_PROXY is not set, though people come through a proxy: all of them count as one address, so a few wrong " +
        "passwords of anybody keep everybody from signing in for a while.",
      "Set TRUST_PROXY to the proxy's address, or to true where nothing but the proxy can reach this server.",
    );
  }
  if (trustProxy !== true || isLoopback(host)) return null;
  return warning(
    "configuration",
    `TRUST_PROXY=true believes whoever reaches ${host}: without the proxy in between, visitors can claim any address.`,
    "Set TRUST_PROXY to the proxy's address, or HOST to 127.0.0.1 where the proxy is on this machine.",
  );
}

function transportOf({ shopify }: Checked): Finding | null {
  if (shopify === null) return null;
  const { protocol, hostname } = new URL(shopify.apiUrl);
  if (protocol === "https:" || isLoopback(hostname)) return null;
  return warning(
    "configuration",
    `SHOPIFY_API_URL is not https: the shop's token travels to ${hostname} for everybody on the way to read.`,
    "Remove SHOPIFY_API_URL, or set it to an https address.",
  );
}

function userOf(uid: number | undefined): Finding | null {
  if (uid !== 0) return null;
  return warning(
    "configuration",
    "Stocktake runs as root, so a fault in it would be a fault of the whole machine.",
    "Run it as a user of its own, as the service in docs/OPERATIONS.md does.",
  );
}
