import type { LiveEvent } from "@stocktake/contract";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { queryRoots, staleAfter } from "./shared-queries.ts";
import { joinTabs } from "./tabs/join-tabs.ts";

type Listener = (event: LiveEvent) => void;

/** The page's one stream of what changed, to which any component can listen. */
interface LiveStream {
  readonly listen: (listener: Listener) => () => void;
  readonly announce: Listener;
}

const LiveStreamContext = createContext<LiveStream | null>(null);
// Scans arrive by the hundred; what they make stale is read again at most this often.
const readAgainAfterMs = 2_000;

const staleAfterEvent: Record<LiveEvent["type"], readonly string[]> = {
  session: [...staleAfter.session, queryRoots.notices],
  area: [...staleAfter.area, queryRoots.passes, queryRoots.notices],
  scan: [queryRoots.progress, queryRoots.areas, queryRoots.exceptions, queryRoots.report, queryRoots.notices],
  invitation: staleAfter.invitation,
  adjustment: [
    ...[queryRoots.adjustments, queryRoots.report, queryRoots.operation, queryRoots.notices],
    // What to count again depends on counts set by hand and on tolerances.
    queryRoots.passes,
  ],
  catalogue: [queryRoots.packs],
  store: staleAfter.store,
};

/** All that the page shows, among the roots of queries. */
const everything = Symbol("everything");

interface Invalidator {
  readonly add: (roots: readonly (string | typeof everything)[]) => void;
  readonly stop: () => void;
}

/**
 * Makes queries stale, at once the first time and then at most every `quietMs`. A hidden page waits until it is
 * visible, so that what a person does in the visible one of many tabs does not queue behind what the others read again.
 */
function createInvalidator(client: QueryClient, quietMs = readAgainAfterMs): Invalidator {
  const due = new Set<string | typeof everything>();
  let timer: number | undefined;
  const flush = () => {
    timer = undefined;
    if (due.size === 0 || document.visibilityState === "hidden") return;
    timer = window.setTimeout(flush, quietMs);
    const roots = [...due];
    due.clear();
    if (roots.includes(everything)) void client.invalidateQueries();
    else for (const root of roots) void client.invalidateQueries({ queryKey: [root] });
  };
  const flushIfQuiet = () => {
    if (timer === undefined) flush();
  };
  document.addEventListener("visibilitychange", flushIfQuiet);
  return {
    add(roots) {
      for (const root of roots) due.add(root);
      flushIfQuiet();
    },
    stop() {
      document.removeEventListener("visibilitychange", flushIfQuiet);
      window.clearTimeout(timer);
    },
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

interface LiveEventsProviderProps {
  /** Who is signed in; null while nobody is. */
  readonly userId: string | null;
  /** The server refused the stream: the login may be over. */
  readonly onRefused: () => void;
  readonly children: ReactNode;
}

/** Follows the server's events while somebody is signed in: queries that an event is about are read again, listeners are notified. */
export function LiveEventsProvider({ userId, onRefused, children }: LiveEventsProviderProps) {
  const client = useQueryClient();
  const stream = useMemo(createLiveStream, []);
  useEffect(() => {
    if (userId === null || typeof EventSource === "undefined") return;
    const invalidator = createInvalidator(client);
    const leave = joinTabs(userId, {
      onEvent: (event) => {
        invalidator.add(staleAfterEvent[event.type]);
        stream.announce(event);
      },
      onGap: () => invalidator.add([everything]),
      onRefused,
    });
    return () => {
      invalidator.stop();
      leave();
    };
  }, [userId, onRefused, client, stream]);
  return <LiveStreamContext value={stream}>{children}</LiveStreamContext>;
}

/** Calls `listener` for each live event while the component is mounted; give it a stable function. */
export function useLiveEvents(listener: Listener): void {
  const stream = useContext(LiveStreamContext);
  useEffect(() => stream?.listen(listener), [stream, listener]);
}

/** Reads the queries of a root again on events of a type, at once and then at most every `quietMs`. */
export function useReadAgainOn(type: LiveEvent["type"], root: string, quietMs: number): void {
  const client = useQueryClient();
  const stream = useContext(LiveStreamContext);
  useEffect(() => {
    const invalidator = createInvalidator(client, quietMs);
    const leave = stream?.listen((event) => {
      if (event.type === type) invalidator.add([root]);
    });
    return () => {
      leave?.();
      invalidator.stop();
    };
  }, [client, stream, type, root, quietMs]);
}
