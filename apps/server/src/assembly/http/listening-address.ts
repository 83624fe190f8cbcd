import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Rejects with the error of listening there, such as EADDRINUSE, before anything else is opened or made. Whoever takes
 * the address in between is met when the server itself listens.
 */
export async function requireListenable(address: {
  readonly host: string;
  readonly port: number;
}): Promise<void> {
  const probe = createServer().listen({ ...address, exclusive: true });
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}
