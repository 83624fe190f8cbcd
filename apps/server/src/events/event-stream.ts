import { PassThrough } from "node:stream";
import type { LiveEvent } from "@stocktake/contract";
import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import { canAccessSession, canAccessStore } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Tallies } from "../kernel/tallies.ts";
import type { EventBus } from "./event-bus.ts";

/** Often enough for proxies that end what is silent for half a minute. */
const heartbeatMs = 25_000;
/** A client that lets this many bytes wait does not read any more; it reads everything anew when it comes back. */
const unreadLimit = 64 * 1024;

export interface EventServices {
  readonly database: Database;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly tallies: Tallies;
  readonly logger: FastifyBaseLogger;
}

interface EventStreamOptions {
  readonly caller: Caller;
  /** Whether the login still opens anything. */
  readonly stillSignedIn: () => Promise<boolean>;
  readonly services: EventServices;
}

/**
 * One client's server-sent events: what changed, as far as the caller sees it, and a comment now and then. Ends with
 * the login, with the client, or by `end`.
 */
export class EventStream {
  readonly body = new PassThrough();
  private readonly options: EventStreamOptions;
  private readonly visibility: Visibility;
  private readonly ended = new AbortController();
  /** Events are checked one after the other, so that they are sent in their order. */
  private queue: Promise<void> = Promise.resolve();

  constructor(options: EventStreamOptions) {
    this.options = options;
    this.visibility = new Visibility(options.services.database, options.caller);
    this.body.once("close", () => this.ended.abort());
    this.body.on("error", (error) =>
      options.services.logger.debug({ err: error }, "An event stream broke off"),
    );
  }

  /** Resolves once the stream passes on everything that happens from then on. */
  async open(): Promise<void> {
    const unsubscribe = this.options.services.events.subscribe((event) => this.enqueue(event));
    this.ended.signal.addEventListener("abort", unsubscribe, { once: true });
    // It may have ended before its streams were told of that.
    if (!(await this.options.stillSignedIn())) throw new ApiError("UNAUTHENTICATED", "Please sign in.");
    await this.visibility.read();
    // Asks browsers to come back after 3 s, and makes proxies pass the headers on.
    this.write("retry: 3000\n: listening\n\n");
    void this.beat();
  }

  /** Ends the stream if its login is over. */
  recheck(): void {
    this.queue = this.queue
      .then(async () => {
        if (!this.ended.signal.aborted && !(await this.options.stillSignedIn())) this.end();
      })
      .catch((error: unknown) => this.breakOff(error));
  }

  end(): void {
    this.ended.abort();
    this.body.end();
  }

  private enqueue(event: LiveEvent): void {
    this.queue = this.queue.then(() => this.send(event)).catch((error: unknown) => this.breakOff(error));
  }

  private async send(event: LiveEvent): Promise<void> {
    if (this.ended.signal.aborted) return;
    if (await this.visibility.covers(event)) this.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  private async beat(): Promise<void> {
    const { stillSignedIn, services } = this.options;
    try {
      while (!this.ended.signal.aborted) {
        await services.clock.sleep(heartbeatMs, this.ended.signal);
        if (!(await stillSignedIn())) return this.end();
        await this.visibility.read();
        this.write(": still listening\n\n");
      }
    } catch (error) {
      if (!this.ended.signal.aborted) this.breakOff(error);
    }
  }

  private write(text: string): void {
    if (this.ended.signal.aborted) return;
    this.body.write(text);
    if (this.body.writableLength > unreadLimit)
      this.breakOff(new Error("The client does not read its events."));
  }

  private breakOff(error: unknown): void {
    this.options.services.logger.warn(
      { err: error },
      "An event stream was ended; its client comes back by itself",
    );
    this.end();
  }
}

/** What a counter sees at a moment: the ids of stores and sessions. */
interface Seen {
  readonly stores: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
}

const nothing: Seen = { stores: new Set(), sessions: new Set() };

/** Only the administrator's pages show these. */
const adminTypes: readonly LiveEvent["type"][] = ["invitation", "adjustment"];

/** Which events a caller may see. What a counter may see is read again whenever a session or a store changes. */
class Visibility {
  private readonly database: Database;
  private readonly caller: Caller;
  private seen: Seen = nothing;

  constructor(database: Database, caller: Caller) {
    this.database = database;
    this.caller = caller;
  }

  async read(): Promise<void> {
    if (this.caller.role === "admin") return;
    this.seen = await readSeen(this.database, this.caller);
  }

  /**
   * A session's or store's event may itself change what the caller sees: it is sent to whoever saw its session before or
   * sees it after.
   */
  async covers(event: LiveEvent): Promise<boolean> {
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
