import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface BareServer {
  readonly url: string;
  stop(): void;
}

/** Runs a bare HTTP server, a program of its own that tells its port once it listens on loopback. */
export async function startBareServer(program: URL): Promise<BareServer> {
  const child = fork(fileURLToPath(program), { execArgv: ["--import", "tsx"] });
  const [port] = await once(child, "message");
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill("SIGTERM") };
}
