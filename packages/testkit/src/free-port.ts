import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that a machine deals out by itself: it gives none of them to somebody else between the look and its use. */
const [lowest, highest] = [20_000, 32_000];

/** A port of this machine that nothing listens on yet: whoever takes it meanwhile is met when somebody listens there. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen({ port, host: "127.0.0.1", exclusive: true });
  try {
    await once(probe, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
