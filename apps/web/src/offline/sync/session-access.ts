import { listSessions } from "@stocktake/contract";
import type { Refusal } from "../database/records.ts";
import type { Clock, Send } from "../ports.ts";
import { readList } from "./read-list.ts";
import type { Failure, Reply } from "./reply.ts";

/**
 * Which sessions the current login has no access to. The server returns 404 both for such a session and for an area that
 * does not exist; only the list of sessions distinguishes the two (docs/SYNC.md, S17).
 */
export interface SessionAccess {
  maySend(sessionId: string): boolean;
  /** Checks with the server after a 404: true where the session is accessible, so that the 404 had another cause. */
  canAccess(sessionId: string): Promise<Extract<Reply<boolean>, { kind: "done" | "failed" }>>;
  /** A new login: every session may be tried again. */
  startOver(): void;
}

const blockMs = 5 * 60 * 1000;

// A batch may have hundreds of scans of a deleted area: one request covers all of them.
const cacheMs = 5_000;

export function createSessionAccess(send: Send, clock: Clock): SessionAccess {
  const blockedUntil = new Map<string, number>();
  const confirmedAt = new Map<string, number>();
  const maySend = (sessionId: string) => {
    const until = blockedUntil.get(sessionId) ?? 0;
    // A clock that has been set back must not block a session for longer.
    return until <= clock.now() || until > clock.now() + blockMs;
  };
  return {
    maySend,
    async canAccess(sessionId) {
      if (!maySend(sessionId)) return { kind: "done", answer: false };
      const confirmed = confirmedAt.get(sessionId);
      if (confirmed !== undefined && Math.abs(clock.now() - confirmed) < cacheMs)
        return { kind: "done", answer: true };
      const reply = await readList(send, listSessions);
      if (reply.kind === "failed") return reply;
      // A refused list tells nothing about the session; without a failure the row and the list would be requested in a loop.
      if (reply.kind !== "done") return { kind: "failed", why: "busy", retryAfterMs: null };
      const isAccessible = reply.answer.sessions.some((session) => session._id === sessionId);
      if (isAccessible) confirmedAt.set(sessionId, clock.now());
      else blockedUntil.set(sessionId, clock.now() + blockMs);
      return { kind: "done", answer: isAccessible };
    },
    startOver() {
      blockedUntil.clear();
      confirmedAt.clear();
    },
  };
}

/**
 * After a 404 the row is refused permanently, tried again, or, where this login has no access to its session, left as it is
 * (docs/SYNC.md, S17).
 */
export async function resolveNotFound(
  sessionAccess: SessionAccess,
  sessionId: string,
  refusal: Refusal,
): Promise<{
  readonly outcome: { kind: "refused"; refusal: Refusal } | { kind: "failed" } | null;
  readonly failure: Failure | null;
}> {
  const access = await sessionAccess.canAccess(sessionId);
  if (access.kind === "failed") return { outcome: { kind: "failed" }, failure: access };
  return { outcome: access.answer ? { kind: "refused", refusal } : null, failure: null };
}
