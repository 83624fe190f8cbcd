import { setMaxListeners } from "node:events";
import { LiveEvent } from "@stocktake/contract";
import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { DatabaseConnection } from "../database/connection.ts";
import type { InstallationFence } from "../database/installation-fence.ts";
import { createListener, type Listener } from "../database/listen.ts";
import type { Database } from "../database/pool.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { jsonOrUndefined } from "../kernel/json.ts";
import type { EventBus } from "./event-bus.ts";

export interface EventBusOptions {
  readonly connection: DatabaseConnection;
  readonly database: Database;
  readonly logger: FastifyBaseLogger;
  readonly clock?: Clock;
  /** Learns from the connection that listens when the database is another one. */
  readonly fence?: InstallationFence | undefined;
}

const channelName = "stocktake_events";
/** The database itself tells of these (migration 0011): logins also end by commands beside the server. */
const endedLogins = "stocktake_ended_logins";
/** Two notifications of one session a second at most. */
const windowMs = 500;
/** More different hints than this in a window are sent as one of the whole session. */
const hintsPerWindow = 100;
/** A notification holds less than 8,000 bytes, a hint less than 250. */
const hintsPerNotification = 25;

const Hints = z.array(LiveEvent);

/** An event bus over NOTIFY, so that every node hears every node. Throws when the database can't be listened to. */
export async function createEventBus(options: EventBusOptions): Promise<EventBus> {
  const bus = new NotifyingEventBus(options);
  await bus.open(options);
  return bus;
}

class NotifyingEventBus implements EventBus {
  private readonly database: Database;
  private readonly logger: FastifyBaseLogger;
  private readonly clock: Clock;
  private readonly listeners = new Set<(event: LiveEvent) => void>();
  private readonly loginListeners = new Set<(loginHash: string | null) => void>();
  /** By session: what is to be sent when its window is over. */
  private readonly windows = new Map<string, Set<string>>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private line: Listener | undefined;

  constructor({ database, logger, clock = systemClock }: EventBusOptions) {
    this.database = database;
    this.logger = logger;
    this.clock = clock;
    // Every session that something happens in has a window that listens.
    setMaxListeners(0, this.closing.signal);
  }

  async open({ connection, fence }: EventBusOptions): Promise<void> {
    this.line = await createListener(connection, {
      channels: [channelName, endedLogins],
      onNotification: (channel, payload) =>
        channel === endedLogins ? this.tellEndedLogin(payload) : this.hear(payload),
      onReconnect: () => {
        this.publishEverything();
        this.tellEndedLogin(null);
      },
      logger: this.logger,
      fence,
    });
  }

  publish(event: LiveEvent): void {
    if (this.closing.signal.aborted) return;
    const key = event.sessionId ?? event.storeId ?? "shop";
    const waiting = this.windows.get(key);
    if (waiting === undefined) this.openWindow(key, event);
    else waiting.add(hintText(waiting.size < hintsPerWindow ? event : withoutArea(event)));
  }

  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  subscribeToEndedLogins(listener: (loginHash: string | null) => void): () => void {
    this.loginListeners.add(listener);
    return () => this.loginListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closing.abort();
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    await this.line?.close();
    this.listeners.clear();
    this.loginListeners.clear();
  }

  private openWindow(key: string, event: LiveEvent): void {
    const waiting = new Set<string>();
    this.windows.set(key, waiting);
    this.track(this.sendInWindows(key, waiting, hintText(event)));
  }

  /** Sends the first hint at once, and whatever comes in a window at its end, until one passes in silence. */
  private async sendInWindows(key: string, waiting: Set<string>, first: string): Promise<void> {
    for (let hints = [first]; hints.length > 0; hints = [...waiting]) {
      waiting.clear();
      await this.notify(hints);
      // The sleep rejects only because the bus closes: what waits is sent without it.
      await this.clock.sleep(windowMs, this.closing.signal).catch(() => undefined);
    }
    this.windows.delete(key);
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }

  private async notify(hints: readonly string[]): Promise<void> {
    try {
      for (let from = 0; from < hints.length; from += hintsPerNotification) {
        const payload = `[${hints.slice(from, from + hintsPerNotification).join(",")}]`;
        await sql`select pg_notify(${channelName}, ${payload})`.execute(this.database);
      }
    } catch (error) {
      this.logger.warn(
        { err: error },
        "Other pages could not be told of a change; they see it when they reload",
      );
    }
  }

  private hear(payload: string): void {
    const hints = Hints.safeParse(jsonOrUndefined(payload));
    if (!hints.success) this.logger.warn("A notification of an unknown form was left out");
    else for (const event of hints.data) this.deliver(event);
  }

  private deliver(event: LiveEvent): void {
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        this.logger.error({ err: error }, "A listener failed on an event");
      }
    }
  }

  private tellEndedLogin(loginHash: string | null): void {
    for (const listener of this.loginListeners) listener(loginHash);
  }

  /** After a loss it is unknown what was missed: a hint without ids makes pages read everything of its type again. */
  private publishEverything(): void {
    for (const type of LiveEvent.shape.type.options) this.deliver({ type });
  }
}

function hintText({ type, sessionId, storeId, areaId, pass }: LiveEvent): string {
  return JSON.stringify({ type, sessionId, storeId, areaId, pass });
}

function withoutArea({ areaId: _areaId, pass: _pass, ...event }: LiveEvent): LiveEvent {
  return event;
}
