import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import * as z from "zod/mini";
import { visitorAddress } from "../../kernel/visitor-address.ts";

/** How many connections may be open at once. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one address; null where a proxy calls for everybody. */
  readonly perAddress: number | null;
}

/** About 30 kB each while idle. */
const mostConnections = 10_000;
/** A shop of 200 phones behind one address, each with the six connections of a browser, and room for as many again. */
const mostPerAddress = 2_400;
/** Enough for a shop, however few descriptors there are. */
const leastConnections = 100;
/** For the database, and what else is not a visitor's connection. */
const descriptorsKept = 256;
/** Itself, and the file that is being sent over it: requests of one connection are handled one at a time. */
const descriptorsEach = 2;
const warningEveryMs = 60_000;

/** Fewer where the process may open fewer descriptors: it would have none left for the database, or for a file. */
export function connectionLimits(softLimit: number, behindProxy: boolean): ConnectionLimits {
  const room = Math.floor((softLimit - descriptorsKept) / descriptorsEach);
  const total = Math.max(leastConnections, Math.min(mostConnections, room));
  return { total, perAddress: behindProxy ? null : mostPerAddress };
}

const Limits = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.number() }) }) });

/** How many descriptors the system lets this process open; the report has no number where that is unlimited. */
export function descriptorsHere(): number {
  // By itself the report looks up the name of whoever each socket is connected to, and waits for it. (Node 20.13, not in its types.)
  Object.assign(process.report, { excludeNetwork: true });
  const { data } = z.safeParse(Limits, process.report.getReport());
  return data?.userLimits.open_files.soft ?? Number.POSITIVE_INFINITY;
}

/** Closes what comes above the limits at once, and says so in the log at most once a minute. */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  logger: FastifyBaseLogger,
): void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (address: string | undefined, why: string) => {
    if (performance.now() - warnedAt < warningEveryMs) return;
    warnedAt = performance.now();
    logger.warn({ address }, why);
  };
  server.maxConnections = total;
  server.on("drop", (data) =>
    warn(data?.remoteAddress, "Connections are refused: as many are open as may be"),
  );
  if (perAddress !== null) countByAddress(server, perAddress, warn);
}

function countByAddress(
  server: Server,
  perAddress: number,
  warn: (address: string, why: string) => void,
): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = visitorAddress(socket.remoteAddress ?? "");
    const count = open.get(address) ?? 0;
    if (count >= perAddress) {
      warn(address, "Connections of one address are refused: it has as many open as it may");
      socket.destroy();
      return;
    }
    open.set(address, count + 1);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
