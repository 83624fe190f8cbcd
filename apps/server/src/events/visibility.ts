import type { LiveEvent } from "@stocktake/contract";
import { sql } from "kysely";
import { canAccessSession, canAccessStore } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { GroupedWork } from "../kernel/grouped-work.ts";
import { keyOf, type PassAccess, type PassAccessReader } from "./counted-again.ts";

/** What a counter sees at a moment: the ids of stores and sessions. */
interface Seen {
  readonly stores: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
}

export type SeenReader = (caller: Caller) => Promise<Seen>;

const nothing: Seen = { stores: new Set(), sessions: new Set() };

/** Only the administrator's pages show these. */
const adminTypes: readonly LiveEvent["type"][] = ["invitation", "adjustment"];

/** Which events a caller may see. What a counter may see is read again whenever a session or a store changes. */
export class Visibility {
  private readonly caller: Caller;
  private readonly readSeen: SeenReader;
  private readonly readPassAccess: PassAccessReader;
  private seen: Seen = nothing;
  /** What second counts are to the caller; read anew with what they see. */
  private readonly accesses = new Map<string, PassAccess>();

  constructor(caller: Caller, readSeen: SeenReader, readPassAccess: PassAccessReader) {
    this.caller = caller;
    this.readSeen = readSeen;
    this.readPassAccess = readPassAccess;
  }

  async read(): Promise<void> {
    if (this.caller.role === "admin") return;
    this.accesses.clear();
    this.seen = await this.readSeen(this.caller);
  }

  /**
   * What the caller is told of an event; null for nothing. That an area which is closed to them is counted again is kept from them: they
   * hear no scan of it, and of a change only that some area of the session changed.
   */
  async shown(event: LiveEvent): Promise<LiveEvent | null> {
    if (!(await this.covers(event))) return null;
    if (this.caller.role === "admin" || (await this.accessTo(event)) !== "closed") return event;
    const { areaId: _area, pass: _pass, ...ofSession } = event;
    return event.type === "scan" ? null : ofSession;
  }

  private async accessTo({ sessionId, areaId, pass }: LiveEvent): Promise<PassAccess> {
    if (sessionId === undefined || areaId === undefined || pass === undefined) return "unknown";
    const ofPass = { sessionId, areaId, pass };
    const known = this.accesses.get(keyOf(ofPass));
    if (known !== undefined) return known;
    const access = await this.readPassAccess(this.caller, ofPass);
    if (access !== "unknown") this.accesses.set(keyOf(ofPass), access);
    return access;
  }

  /**
   * A session's or store's event may itself change what the caller sees: it is sent to whoever saw its session before or
   * sees it after.
   */
  private async covers(event: LiveEvent): Promise<boolean> {
    if (this.caller.role === "admin") return true;
    if (adminTypes.includes(event.type)) return false;
    const before = this.includes(event);
    if (event.type === "session" || event.type === "store") await this.read();
    return before || this.includes(event);
  }

  private includes({ sessionId, storeId }: LiveEvent): boolean {
    if (sessionId !== undefined) return this.seen.sessions.has(sessionId);
    return storeId === undefined || this.seen.stores.has(storeId);
  }
}

/** One group reads at a time: whoever asks meanwhile is read for with the next, from then on. */
const limits = { maximumWaiting: 100_000, maximumGroup: 10_000, groupsAtOnce: 1 };

/**
 * Reads what callers see, for many streams at once: those of one invitation see the same, and so do all counters with a
 * password, so that an event costs a few look-ups, however many streams hear it.
 */
export function createSeenReader(database: Database): SeenReader {
  const readings = new GroupedWork(
    (_lane: string, callers: readonly Caller[]) => readForAll(database, callers),
    limits,
  );
  return (caller) => readings.submitOne("seen", caller);
}

async function readForAll(database: Database, callers: readonly Caller[]): Promise<readonly Seen[]> {
  const likes = new Map(callers.map((caller) => [likeOf(caller), caller]));
  const seen = new Map<string, Seen>();
  for (const [like, caller] of likes) seen.set(like, await readSeen(database, caller));
  return callers.map((caller) => seen.get(likeOf(caller)) ?? nothing);
}

/** Callers with the same see the same. */
function likeOf(caller: Caller): string {
  if (caller.role === "admin") return "admin";
  return caller.invitation?.id ?? "with a password";
}

async function readSeen(database: Database, caller: Caller): Promise<Seen> {
  const stores = await database
    .selectFrom("stores")
    .select("id")
    .where(canAccessStore(caller, sql.ref("stores.id")))
    .execute();
  const sessions = await database
    .selectFrom("sessions")
    .select("id")
    .where(canAccessSession(caller, "sessions"))
    .execute();
  return { stores: new Set(stores.map(({ id }) => id)), sessions: new Set(sessions.map(({ id }) => id)) };
}
