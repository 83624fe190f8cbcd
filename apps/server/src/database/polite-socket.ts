import { Socket } from "node:net";

/** As much as is read from a socket at once. */
const fullRead = 64 * 1024;

/**
 * A socket for a connection to the database of which others wait no longer than for what 64 KB mean, one or two milliseconds: as long as
 * more lies there Node reads on, up to two megabytes before anything else has its turn, and a scan needs several turns. It does nothing
 * where TLS is spoken over it.
 */
export function politeSocket(): Socket {
  const socket = new Socket();
  socket.on("data", (chunk) => {
    if (chunk.length < fullRead) return;
    socket.pause();
    setImmediate(() => socket.resume());
  });
  return socket;
}
