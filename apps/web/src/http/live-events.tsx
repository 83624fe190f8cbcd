import { LiveEvent } from "@stocktake/contract";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import * as z from "zod/mini";
import { queryRoots, staleAfter } from "./shared-queries.ts";

type Listener = (event: LiveEvent) => void;

/** The page's one stream of what changed, to which any component can listen. */
interface LiveStream {
  readonly listen: (listener: Listener) => () => void;
  readonly announce: Listener;
}

const LiveStreamContext = createContext<LiveStream | null>(null);
const reconnectMs = 5_000;
// Scans arrive by the hundred; what they make stale is read again at most this often.
const quietMs = 2_000;

const staleAfterEvent: Record<LiveEvent["type"], readonly string[]> = {
  session: staleAfter.session,
  area: [...staleAfter.area, queryRoots.passes],
  scan: [queryRoots.progress, queryRoots.areas, queryRoots.exceptions, queryRoots.report],
  invitation: staleAfter.invitation,
  adjustment: [queryRoots.adjustments, queryRoots.report, queryRoots.operation],
  catalogue: [],
  store: staleAfter.store,
};

function readEvent(message: MessageEvent<unknown>): LiveEvent | null {
  if (typeof message.data !== "string") return null;
  try {
    const parsed = z.safeParse(LiveEvent, JSON.parse(message.data));
    return parsed.success ? parsed.data : null;
  } catch {
    // A stream cut off within a message: the data is read again when the stream is back.
    return null;
  }
}

/** Keeps a stream open until the returned function is called. A refused stream is tried again; a broken one reconnects by itself. */
function openStream(onEvent: Listener, onReopened: () => void): () => void {
  let source: EventSource | null = null;
  let timer: number | undefined;
  let opened = false;
  const connect = () => {
    source = new EventSource("/api/events", { withCredentials: true });
    source.onopen = () => {
      if (opened) onReopened();
      opened = true;
    };
    source.onmessage = (message) => {
      const event = readEvent(message);
      if (event !== null) onEvent(event);
    };
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) timer = window.setTimeout(connect, reconnectMs);
    };
  };
  connect();
  return () => {
    window.clearTimeout(timer);
    source?.close();
  };
}

/** Makes stale, at once the first time and then at most every {@link quietMs}, what each kind of event speaks of. */
function createInvalidator(client: QueryClient): { add: Listener; stop: () => void } {
  const due = new Set<string>();
  let timer: number | undefined;
  const flush = () => {
    const roots = [...due];
    due.clear();
    timer = roots.length === 0 ? undefined : window.setTimeout(flush, quietMs);
    for (const root of roots) void client.invalidateQueries({ queryKey: [root] });
  };
  return {
    add: (event) => {
      for (const root of staleAfterEvent[event.type]) due.add(root);
      if (timer === undefined) flush();
    },
    stop: () => window.clearTimeout(timer),
  };
}

function createLiveStream(): LiveStream {
  const listeners = new Set<Listener>();
  return {
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
}

/** While `active`, follows the server's events: queries that an event is about are read again, listeners are notified. */
export function LiveEventsProvider({ active, children }: { active: boolean; children: ReactNode }) {
  const client = useQueryClient();
  const stream = useMemo(createLiveStream, []);
  useEffect(() => {
    if (!active || typeof EventSource === "undefined") return;
    const invalidator = createInvalidator(client);
    const close = openStream(
      (event) => {
        invalidator.add(event);
        stream.announce(event);
      },
      // What happened while the stream was away is unknown, so everything shown is read again.
      () => void client.invalidateQueries(),
    );
    return () => {
      invalidator.stop();
      close();
    };
  }, [active, client, stream]);
  return <LiveStreamContext value={stream}>{children}</LiveStreamContext>;
}

/** Calls `listener` for each live event while the component is mounted; give it a stable function. */
export function useLiveEvents(listener: Listener): void {
  const stream = useContext(LiveStreamContext);
  useEffect(() => stream?.listen(listener), [stream, listener]);
}
