import type { LiveEvent } from "@stocktake/contract";
import { sql } from "kysely";
import { sessionInSight, storeInSight } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";

/** What a counter sees at a moment: the ids of stores and sessions. */
interface Seen {
  readonly stores: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
}

const nothing: Seen = { stores: new Set(), sessions: new Set() };

/** Only the administrator's pages show these. */
const adminTypes: readonly LiveEvent["type"][] = ["invitation", "adjustment"];

/** Which events a caller may be told of. A counter's sight is read again whenever a session or a store changes. */
export class Sight {
  private readonly database: Database;
  private readonly caller: Caller;
  private seen: Seen = nothing;

  constructor(database: Database, caller: Caller) {
    this.database = database;
    this.caller = caller;
  }

  /** Reads anew what the caller sees. */
  async look(): Promise<void> {
    if (this.caller.role === "admin") return;
    this.seen = await readSeen(this.database, this.caller);
  }

  /**
   * Whether the caller may be told. A session's or store's event may itself change what they see: it is told to whoever
   * saw its session before or sees it after.
   */
  async covers(event: LiveEvent): Promise<boolean> {
    if (this.caller.role === "admin") return true;
    if (adminTypes.includes(event.type)) return false;
    const before = this.includes(event);
    if (event.type === "session" || event.type === "store") await this.look();
    return before || this.includes(event);
  }

  private includes({ sessionId, storeId }: LiveEvent): boolean {
    if (sessionId !== undefined) return this.seen.sessions.has(sessionId);
    return storeId === undefined || this.seen.stores.has(storeId);
  }
}

async function readSeen(database: Database, caller: Caller): Promise<Seen> {
  const stores = await database
    .selectFrom("stores")
    .select("id")
    .where(storeInSight(caller, sql.ref("stores.id")))
    .execute();
  const sessions = await database
    .selectFrom("sessions")
    .select("id")
    .where(sessionInSight(caller, "sessions"))
    .execute();
  return { stores: new Set(stores.map(({ id }) => id)), sessions: new Set(sessions.map(({ id }) => id)) };
}
