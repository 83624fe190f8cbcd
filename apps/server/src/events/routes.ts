import { events as eventsCall } from "@stocktake/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { findCaller, loginCookie } from "../auth/auth.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { route } from "../kernel/route.ts";
import type { Tallies } from "../kernel/tallies.ts";
import { type EventServices, EventStream } from "./event-stream.ts";

/** A person has few pages open at a time; more streams of one login are a client gone wrong. */
const streamsPerLogin = 20;

export function eventRoutes(app: FastifyInstance, services: EventServices): void {
  const streams = new OpenStreams(services.tallies);
  const unsubscribe = services.events.subscribeToEndedLogins((loginHash) => streams.loginEnded(loginHash));
  app.addHook("preClose", async () => {
    unsubscribe();
    streams.endAll();
  });

  route(app, eventsCall, async ({ caller, request, reply }) => {
    streams.requireRoom(caller);
    const stream = new EventStream({
      caller,
      stillSignedIn: () => opens(services, request),
      services,
    });
    streams.add(caller, stream);
    await openOrEnd(stream);
    reply.headers({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      // Makes nginx and its like pass events on as they come.
      "x-accel-buffering": "no",
    });
    return reply.send(stream.body);
  });
}

/** A stream that could not be opened no longer counts against its login. */
async function openOrEnd(stream: EventStream): Promise<void> {
  try {
    await stream.open();
  } catch (error) {
    stream.end();
    stream.body.destroy();
    throw error;
  }
}

async function opens({ database }: EventServices, request: FastifyRequest): Promise<boolean> {
  return (await findCaller(database, request.cookies[loginCookie] ?? "")) !== null;
}

/** The streams of this node by login. */
class OpenStreams {
  private readonly tallies: Tallies;
  private readonly byLogin = new Map<string, Set<EventStream>>();

  constructor(tallies: Tallies) {
    this.tallies = tallies;
  }

  /** Throws ApiError RATE_LIMITED. */
  requireRoom(caller: Caller): void {
    if ((this.byLogin.get(keyOf(caller))?.size ?? 0) < streamsPerLogin) return;
    throw new ApiError("RATE_LIMITED", "Too many pages are open with this login. Close some of them.", {
      retryAfterSeconds: 30,
    });
  }

  add(caller: Caller, stream: EventStream): void {
    const key = keyOf(caller);
    const streams = this.byLogin.get(key) ?? new Set();
    this.byLogin.set(key, streams.add(stream));
    this.tallies.eventStreams += 1;
    stream.body.once("close", () => {
      this.tallies.eventStreams -= 1;
      streams.delete(stream);
      if (streams.size === 0) this.byLogin.delete(key);
    });
  }

  /** Ends the streams of a login that has ended; null where it is unknown which have: each is looked up. */
  loginEnded(loginHash: string | null): void {
    if (loginHash !== null) for (const stream of [...(this.byLogin.get(loginHash) ?? [])]) stream.end();
    else for (const streams of this.byLogin.values()) for (const stream of streams) stream.recheck();
  }

  endAll(): void {
    for (const streams of [...this.byLogin.values()]) for (const stream of [...streams]) stream.end();
  }
}

function keyOf({ loginHash }: Caller): string {
  return loginHash.toString("hex");
}
