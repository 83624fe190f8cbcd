import { PassThrough } from "node:stream";
import type { LiveEvent } from "@stocktake/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Tallies } from "../kernel/tallies.ts";
import type { PassAccessReader } from "./counted-again.ts";
import type { EventBus } from "./event-bus.ts";
import { type SeenReader, Visibility } from "./visibility.ts";

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
  readonly readSeen: SeenReader;
  readonly readPassAccess: PassAccessReader;
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
    this.visibility = new Visibility(options.caller, options.readSeen, options.readPassAccess);
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
    const shown = await this.visibility.shown(event);
    if (shown !== null) this.write(`data: ${JSON.stringify(shown)}\n\n`);
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
