import { openEventStream } from "./event-stream.ts";
import { createBidLeadership, createLockLeadership } from "./leadership.ts";
import { openChannel, type Timers } from "./messages.ts";
import { type SharedStream, type SharedStreamEvents, shareStream } from "./shared-stream.ts";

const timers: Timers = {
  after(milliseconds, work) {
    const timer = window.setTimeout(work, milliseconds);
    return () => window.clearTimeout(timer);
  },
};

function nameTab(): string {
  // getRandomValues, unlike randomUUID, also works on pages served over plain http.
  return [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

function shareInBrowser(group: string, events: SharedStreamEvents): SharedStream {
  const tab = nameTab();
  // Absent on pages served over plain http.
  const locks = globalThis.isSecureContext ? globalThis.navigator.locks : undefined;
  return shareStream(
    {
      ...{ tab, timers, openStream: openEventStream },
      isVisible: () => document.visibilityState !== "hidden",
      openChannel: (hear) => openChannel(group, hear),
      createLeadership: (tell, leadership) =>
        locks === undefined
          ? createBidLeadership({ tab, timers, tell }, leadership)
          : createLockLeadership(locks, group, leadership),
    },
    events,
  );
}

function ownStream({ onEvent, onGap, onRefused }: SharedStreamEvents): SharedStream {
  const stream = openEventStream({ onEvent, onOpened: onGap, onRefused });
  return { check: stream.poke, close: stream.close };
}

/**
 * Follows the server's events with the other tabs of this browser in which the same person is signed in, until the returned
 * function is called. A page that the browser puts away or freezes leaves them, and joins again when it is back.
 */
export function joinTabs(userId: string, events: SharedStreamEvents): () => void {
  const join = () =>
    globalThis.BroadcastChannel === undefined
      ? ownStream(events)
      : shareInBrowser(`stocktake-events-${userId}`, events);
  let joined: SharedStream | null = join();
  const leave = () => {
    joined?.close();
    joined = null;
  };
  const comeBack = () => {
    if (joined !== null) return;
    joined = join();
    events.onGap();
  };
  const check = () => {
    if (document.visibilityState !== "hidden") joined?.check();
  };
  const listeners = [
    [window, "pagehide", leave],
    [window, "pageshow", comeBack],
    [document, "freeze", leave],
    [document, "resume", comeBack],
    [document, "visibilitychange", check],
  ] as const;
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener);
  return () => {
    for (const [target, type, listener] of listeners) target.removeEventListener(type, listener);
    leave();
  };
}
