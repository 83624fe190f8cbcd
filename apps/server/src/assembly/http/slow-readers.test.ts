import { createServer, Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endSlowReaders } from "./slow-readers.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface SlowConnection {
  readonly socket: Socket;
  take(bytes: number): void;
}

/** A connection over which the client takes what a test says; what a real system takes at once is out of a test's hands. */
function connected(waiting = 100_000_000): SlowConnection {
  const server = createServer();
  endSlowReaders(server);
  const sent = { taken: 0, waiting };
  const socket = Object.defineProperties(new Socket(), {
    bytesWritten: { get: () => sent.taken + sent.waiting },
    writableLength: { get: () => sent.waiting },
  });
  server.emit("connection", socket);
  return {
    socket,
    take(bytes) {
      sent.taken += bytes;
      sent.waiting -= bytes;
    },
  };
}

/** Whether it is open after so many minutes of taking that much every so many seconds. */
function isOpenAfter(minutes: number, bytes: number, everySeconds: number): boolean {
  const { socket, take } = connected();
  for (let second = everySeconds; second <= minutes * 60; second += everySeconds) {
    vi.advanceTimersByTime(everySeconds * 1000);
    take(bytes);
  }
  return !socket.destroyed;
}

test.each([
  [1, 29],
  [1_000, 5],
  [16_384, 15],
])("a client that takes %d bytes in %d s is cut off", (bytes, seconds) => {
  expect(isOpenAfter(1, bytes, seconds)).toBe(false);
});

test.each([
  [100_000, 5],
  [400_000, 20],
  [500_000, 25],
])("a phone on a slow line, which takes %d bytes in %d s, is not", (bytes, seconds) => {
  expect(isOpenAfter(10, bytes, seconds)).toBe(true);
});

test("whoever has taken all that is ready begins anew, however little that was", () => {
  const { socket, take } = connected(10);
  for (let minute = 0; minute < 10; minute += 1) {
    vi.advanceTimersByTime(29_000);
    take(10);
    vi.advanceTimersByTime(31_000);
    take(-10);
  }
  expect(socket.destroyed).toBe(false);
});
