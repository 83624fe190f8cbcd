import { PassThrough } from "node:stream";
import type { LiveEvent } from "@stocktake/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import type { EventBus } from "./event-bus.ts";
import { Sight } from "./sight.ts";

/** Often enough for proxies that end what is silent for half a minute. */
const heartbeatMs = 25_000;
/** A client that lets this many bytes wait does not read any more; it reads everything anew when it comes back. */
const unreadLimit = 64 * 1024;

export interface EventServices {
  readonly database: Database;
  readonly events: EventBus;
  readonly clock: Clock;
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
  private readonly sight: Sight;
  private readonly ended = new AbortController();
  /** Events are looked at one after the other, so that they are told in their order. */
  private line: Promise<void> = Promise.resolve();

  constructor(options: EventStreamOptions) {
    this.options = options;
    this.sight = new Sight(options.services.database, options.caller);
    this.body.once("close", () => this.ended.abort());
    this.body.on("error", (error) =>
      options.services.logger.debug({ err: error }, "An event stream broke off"),
    );
  }

  /** Resolves once the stream hears everything that happens from then on. */
  async open(): Promise<void> {
    const unsubscribe = this.options.services.events.subscribe((event) => this.enqueue(event));
    this.ended.signal.addEventListener("abort", unsubscribe, { once: true });
    await this.sight.look();
    // Asks browsers to come back after 3 s, and makes proxies pass the headers on.
    this.write("retry: 3000\n: listening\n\n");
    void this.beat();
  }

  end(): void {
    this.ended.abort();
    this.body.end();
  }

  private enqueue(event: LiveEvent): void {
    this.line = this.line.then(() => this.tell(event)).catch((error: unknown) => this.breakOff(error));
  }

  private async tell(event: LiveEvent): Promise<void> {
    if (this.ended.signal.aborted) return;
    // A revoked invitation ends its logins at once.
    if (event.type === "invitation" && !(await this.options.stillSignedIn())) return this.end();
    if (await this.sight.covers(event)) this.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  private async beat(): Promise<void> {
    const { stillSignedIn, services } = this.options;
    try {
      while (!this.ended.signal.aborted) {
        await services.clock.sleep(heartbeatMs, this.ended.signal);
        if (!(await stillSignedIn())) return this.end();
        await this.sight.look();
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
