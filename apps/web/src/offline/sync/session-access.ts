import { listSessions } from "@stocktake/contract";
import type { Clock, Send } from "../ports.ts";
import { interpret, type Reply } from "./reply.ts";

/**
 * Which sessions the present login cannot reach. The server answers 404 both for such a session and for an area that
 * never was; only the list of sessions tells the two apart (docs/SYNC.md, S17).
 */
export interface SessionAccess {
  maySend(sessionId: string): boolean;
  /** Asks the server after a 404: true where the session is in sight, so that the 404 was about something else. */
  canAccess(sessionId: string): Promise<Extract<Reply<boolean>, { kind: "done" | "failed" }>>;
  /** A new login: every session may be tried again. */
  startOver(): void;
}

const holdMs = 5 * 60 * 1000;

// A batch may hold hundreds of scans of an area that is gone: one look-up answers for all of them.
const trustMs = 5_000;

export function createSessionAccess(send: Send, clock: Clock): SessionAccess {
  const heldUntil = new Map<string, number>();
  const seenAt = new Map<string, number>();
  const maySend = (sessionId: string) => {
    const until = heldUntil.get(sessionId) ?? 0;
    // A clock that has been set back must not hold a session for longer.
    return until <= clock.now() || until > clock.now() + holdMs;
  };
  return {
    maySend,
    async canAccess(sessionId) {
      if (!maySend(sessionId)) return { kind: "done", answer: false };
      const seen = seenAt.get(sessionId);
      if (seen !== undefined && Math.abs(clock.now() - seen) < trustMs) return { kind: "done", answer: true };
      const incoming = await send({ method: "GET", path: listSessions.path });
      const reply = interpret(incoming, listSessions.answer);
      if (reply.kind === "failed") return reply;
      // Refused, the list says nothing of the session; the row would be sent, and the list asked for, over and over.
      if (reply.kind !== "done") return { kind: "failed", why: "busy", retryAfterMs: null };
      const isAccessible = reply.answer.sessions.some((session) => session._id === sessionId);
      if (isAccessible) seenAt.set(sessionId, clock.now());
      else heldUntil.set(sessionId, clock.now() + holdMs);
      return { kind: "done", answer: isAccessible };
    },
    startOver() {
      heldUntil.clear();
      seenAt.clear();
    },
  };
}
