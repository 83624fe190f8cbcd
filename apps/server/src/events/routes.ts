import { events as eventsCall } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { createCallerLookUp, loginCookie } from "../auth/auth.ts";
import { route } from "../kernel/route.ts";
import { createPassAccessReader } from "./counted-again.ts";
import { type EventServices, EventStream } from "./event-stream.ts";
import { OpenStreams } from "./open-streams.ts";
import { createSeenReader } from "./visibility.ts";

export function eventRoutes(app: FastifyInstance, services: EventServices): void {
  const streams = new OpenStreams(services.tallies);
  // Many streams look at the same moment whether their logins still open anything.
  const findCaller = createCallerLookUp(services.database);
  const readSeen = createSeenReader(services.database);
  const readPassAccess = createPassAccessReader(services.database);
  const unsubscribe = services.events.subscribeToEndedLogins((loginHash) => streams.loginEnded(loginHash));
  app.addHook("preClose", async () => {
    unsubscribe();
    streams.endAll();
  });

  route(app, eventsCall, async ({ caller, request, reply }) => {
    streams.makeRoom(caller);
    const token = request.cookies[loginCookie] ?? "";
    const stream = new EventStream({
      caller,
      stillSignedIn: async () => (await findCaller(token)) !== null,
      readSeen,
      readPassAccess,
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
