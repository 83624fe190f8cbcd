import type { Server, Socket } from "node:net";
import * as z from "zod/mini";

/**
 * What must be taken within a window while something is ready: 2 kB a second, a tenth of what a phone on a bad line manages, as
 * the system takes what is ready in large pieces and then nothing for a while.
 */
const leastBytes = 60_000;
const windowMs = 30_000;
const everyMs = 5_000;

/** Not in Node's types; its own time limit of a connection goes by the second. */
const Handle = z.object({ _handle: z.object({ bytesWritten: z.number(), writeQueueSize: z.number() }) });

/** How many bytes the client's system has taken: of a piece that is being sent too, which its stream tells only when it is whole. */
export function takenOf(socket: Socket): number {
  const { data } = z.safeParse(Handle, socket);
  if (data === undefined) return socket.bytesWritten - socket.writableLength;
  return data._handle.bytesWritten - data._handle.writeQueueSize;
}

/** The beginning of a window: when, in the milliseconds of `performance.now`, and how much had been taken by then. */
interface Window {
  readonly since: number;
  readonly taken: number;
}

/**
 * Ends connections whose client does not read, or drop by drop. Once all that was ready, or enough of it, has been taken, another
 * window begins: an idle connection has nothing ready and is left alone.
 */
export function endSlowReaders(server: Server): void {
  const windows = new Map<Socket, Window>();
  server.on("connection", (socket: Socket) => {
    windows.set(socket, { since: performance.now(), taken: 0 });
    socket.once("close", () => windows.delete(socket));
  });
  const sweep = () => {
    const now = performance.now();
    for (const [socket, { since, taken: before }] of windows) {
      const taken = takenOf(socket);
      if (socket.writableLength === 0 || taken - before >= leastBytes) {
        windows.set(socket, { since: now, taken });
      } else if (now - since > windowMs) socket.destroy();
    }
  };
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
