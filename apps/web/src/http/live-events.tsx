import type { LiveEvent } from "@stocktake/contract";
import { type Query, type QueryClient, type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { createEmitter } from "../events/emitter.ts";
import { queryRoots, staleAfter } from "./query-roots.ts";
import { joinTabs } from "./tabs/join-tabs.ts";

type Listener = (event: LiveEvent) => void;

/** The page's one stream of what changed, to which any component can listen. */
interface LiveStream {
  readonly listen: (listener: Listener) => () => void;
  readonly announce: Listener;
  readonly readAgain: ReadAgain;
}

const LiveStreamContext = createContext<LiveStream | null>(null);
// Scans arrive by the hundred; what they make stale is read again at most this often.
const readAgainAfterMs = 2_000;
/** Everything else is rare, and somebody may act on it at once: an area that is to be counted again can be opened as soon as it is told. */
const readSoonAfterMs = 250;
/** What a page read before it followed is read again once it is drawn: both at once would make its first rows wait. */
const afterLoadingMs = 2_000;

const staleAfterEvent: Record<LiveEvent["type"], readonly string[]> = {
  session: [...staleAfter.session, queryRoots.searches, queryRoots.coverage, queryRoots.notices],
  area: [...staleAfter.area, queryRoots.passes, queryRoots.searches, queryRoots.notices],
  scan: [queryRoots.progress, queryRoots.areas, queryRoots.exceptions, queryRoots.report, queryRoots.notices],
  invitation: [...staleAfter.invitation, queryRoots.notices],
  adjustment: [
    ...[queryRoots.adjustments, queryRoots.report, queryRoots.operation, queryRoots.notices],
    // What to count again depends on counts set by hand and on tolerances.
    queryRoots.passes,
    queryRoots.searches,
    queryRoots.coverage,
  ],
  catalogue: [queryRoots.packs, queryRoots.products],
  store: staleAfter.store,
};

interface Invalidator {
  readonly add: (roots: readonly string[]) => void;
  /** All that was read before a moment, in milliseconds since 1970. */
  readonly addBefore: (moment: number) => void;
  readonly stop: () => void;
}

type ReadAgain = (filters: QueryFilters) => void;

/**
 * Makes queries stale, so that what is shown is read again. What is being read for the first time is not broken off for it, and what comes may
 * be of before: it is read once more then, however many events came meanwhile.
 */
function createReadAgain(client: QueryClient): ReadAgain {
  const waitedFor = new WeakSet<Promise<unknown>>();
  return (filters) => {
    const first = client
      .getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.data === undefined && state.fetchStatus !== "idle");
    void client.invalidateQueries(filters);
    for (const { queryKey, promise } of first) {
      if (promise === undefined || waitedFor.has(promise)) continue;
      waitedFor.add(promise);
      const again = () => void client.invalidateQueries({ queryKey, exact: true });
      // What could not be read at all says so where it is shown, and is asked for there.
      promise.then(again, () => undefined);
    }
  };
}

/**
 * Makes queries stale, at once the first time and then at most every `quietMs`. A hidden page waits until it is
 * visible, so that what a person does in the visible one of many tabs does not queue behind what the others read again.
 */
function createInvalidator(readAgain: ReadAgain, quietMs = readAgainAfterMs): Invalidator {
  const due = new Set<string>();
  let dueBefore: number | undefined;
  let timer: number | undefined;
  const flush = () => {
    timer = undefined;
    const before = dueBefore;
    if ((due.size === 0 && before === undefined) || document.visibilityState === "hidden") return;
    timer = window.setTimeout(flush, quietMs);
    const roots = [...due];
    due.clear();
    dueBefore = undefined;
    if (before !== undefined) readAgain({ predicate: wasReadBefore(before) });
    for (const root of roots) readAgain({ queryKey: [root] });
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
    addBefore(moment) {
      dueBefore = moment;
      flushIfQuiet();
    },
    stop() {
      document.removeEventListener("visibilitychange", flushIfQuiet);
      window.clearTimeout(timer);
    },
  };
}

/** What seems to be of a time to come was read before the device's clock was set back. */
function wasReadBefore(moment: number): (query: Query) => boolean {
  return ({ state: { dataUpdatedAt } }) => dataUpdatedAt < moment || dataUpdatedAt > Date.now();
}

function createLiveStream(client: QueryClient): LiveStream {
  const { emit, subscribe } = createEmitter<LiveEvent>();
  return { listen: subscribe, announce: emit, readAgain: createReadAgain(client) };
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
  const stream = useMemo(() => createLiveStream(client), [client]);
  useEffect(() => {
    if (userId === null || typeof EventSource === "undefined") return;
    const invalidator = createInvalidator(stream.readAgain, readSoonAfterMs);
    const ofScans = createInvalidator(stream.readAgain);
    let afterLoading: number | undefined;
    const readAfterGap = () => {
      const heardAt = Date.now();
      if (afterLoading === undefined)
        afterLoading = window.setTimeout(() => invalidator.addBefore(heardAt), afterLoadingMs);
      else invalidator.addBefore(heardAt);
    };
    const leave = joinTabs(userId, {
      onEvent: (event) => {
        (event.type === "scan" ? ofScans : invalidator).add(staleAfterEvent[event.type]);
        stream.announce(event);
      },
      onGap: readAfterGap,
      onRefused,
    });
    return () => {
      window.clearTimeout(afterLoading);
      invalidator.stop();
      ofScans.stop();
      leave();
    };
  }, [userId, onRefused, stream]);
  return <LiveStreamContext value={stream}>{children}</LiveStreamContext>;
}

/** Calls `listener` for each live event while the component is mounted; give it a stable function. */
export function useLiveEvents(listener: Listener): void {
  const stream = useContext(LiveStreamContext);
  useEffect(() => stream?.listen(listener), [stream, listener]);
}

/** Reads the queries of a root again on events of a type, at once and then at most every `quietMs`. */
export function useReadAgainOn(type: LiveEvent["type"], root: string, quietMs: number): void {
  const stream = useContext(LiveStreamContext);
  useEffect(() => {
    if (stream === null) return;
    const invalidator = createInvalidator(stream.readAgain, quietMs);
    const leave = stream.listen((event) => {
      if (event.type === type) invalidator.add([root]);
    });
    return () => {
      leave();
      invalidator.stop();
    };
  }, [stream, type, root, quietMs]);
}
