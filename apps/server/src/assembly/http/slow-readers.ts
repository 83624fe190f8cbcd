import type { Server } from "node:http";
import type { Socket } from "node:net";

/** What a phone on a bad line manages, as for the requests that it sends. */
const slowestBytesPerSecond = 20_000;

interface Reading {
  /** Bytes that the client's system has taken. */
  taken: number;
  /** When it last took any, in the milliseconds of `performance.now`. */
  since: number;
}

/** How long a client may take nothing of what is ready for it, and how often that is looked at. */
const longestPauseMs = 30_000;
const everyMs = 5_000;

/**
 * Ends connections whose client does not read: nothing taken of what is ready for 30 s, and longer only for a response that is
 * large enough to take longer at 20 kB a second. An idle connection has nothing ready and is left alone.
 */
export function endSlowReaders(server: Server): void {
  const readings = new Map<Socket, Reading>();
  server.on("connection", (socket: Socket) => {
    readings.set(socket, { taken: 0, since: performance.now() });
    socket.once("close", () => readings.delete(socket));
  });
  const sweep = () => {
    const now = performance.now();
    for (const [socket, reading] of readings) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== reading.taken) {
        reading.taken = taken;
        reading.since = now;
        continue;
      }
      const allowed = longestPauseMs + (socket.writableLength / slowestBytesPerSecond) * 1000;
      if (now - reading.since > allowed) socket.destroy();
    }
  };
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
