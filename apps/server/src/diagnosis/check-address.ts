import type { Finding } from "@stocktake/contract";
import type { Config } from "../kernel/config.ts";
import { epochHeader } from "../kernel/epoch-header.ts";
import { failed, ok, warning } from "./finding.ts";
import type { Installation } from "./queries.ts";
import { type Caller, reach } from "./reach.ts";

const proxyAdvice =
  "Look at the proxy's configuration: it has to pass everything on to Stocktake's HOST and PORT, and keep the path.";

/** Whether PUBLIC_URL leads here: name, certificate, proxy. */
export async function checkAddress(
  { publicUrl }: Pick<Config, "publicUrl">,
  installation: Installation | null,
  caller: Caller,
): Promise<Finding | null> {
  if (publicUrl === null) return null;
  const address = publicUrl.origin;
  const reached = await reach(caller, `${address}/api/health`);
  if (reached.kind === "insecure") {
    return failed(
      "address",
      `The certificate of ${address} does not hold (${reached.why}).`,
      "Have the proxy get a certificate that browsers accept, with its whole chain; phones refuse any other.",
    );
  }
  if (reached.kind !== "response") {
    return warning(
      "address",
      `${address} can't be reached from this machine (${reached.why}).`,
      "Open it on a phone. If that works, only this machine can't, and nothing is wrong; else look at DNS, firewall and proxy.",
    );
  }
  const { status, headers } = reached.response;
  if (status >= 300 && status < 400) {
    return failed(
      "address",
      `${address} leads on to ${headers.get("location") ?? "another address"}.`,
      "Set PUBLIC_URL to the address that people end up at.",
    );
  }
  return interpretEpoch(address, status, headers.get(epochHeader), installation);
}

function interpretEpoch(
  address: string,
  status: number,
  epoch: string | null,
  installation: Installation | null,
): Finding {
  if (epoch === null)
    return failed(
      "address",
      `Something else than Stocktake responds at ${address} (status ${status}).`,
      proxyAdvice,
    );
  if (installation !== null && installation.epoch !== epoch)
    return failed("address", `Another Stocktake than this one responds at ${address}.`, proxyAdvice);
  return ok("address", `${address} leads here.`);
}

/** Whether the server runs, for a command beside it. */
export async function checkServer(
  { host, port }: Pick<Config, "host" | "port">,
  installation: Installation | null,
  caller: Caller,
): Promise<Finding> {
  const listensOn = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const address = `http://${listensOn.includes(":") ? `[${listensOn}]` : listensOn}:${port}`;
  const reached = await reach(caller, `${address}/api/health`);
  if (reached.kind !== "response") {
    return failed(
      "server",
      `No server responds at ${address} (${reached.why}).`,
      "Start it (`systemctl start stocktake`); if it ends again, its log says why (`journalctl -u stocktake`).",
    );
  }
  const epoch = reached.response.headers.get(epochHeader);
  if (epoch === null || (installation !== null && installation.epoch !== epoch)) {
    return failed(
      "server",
      `Something else than this installation responds at ${address}.`,
      "Run this command with the environment of the service, or give one of the two another PORT.",
    );
  }
  return ok("server", `The server is responding at ${address}.`);
}
