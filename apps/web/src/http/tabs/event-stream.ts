import { LiveEvent } from "@stocktake/contract";
import * as z from "zod/mini";

const reconnectMs = 5_000;

export interface StreamEvents {
  readonly onEvent: (event: LiveEvent) => void;
  /** The stream is open, or open again after a loss: what happened before is unknown. */
  readonly onOpened: () => void;
  /** The server refused it, after it was open or for the first time; it is tried again without further notice. */
  readonly onRefused: () => void;
}

/** An open stream of the server's events. */
export interface EventStream {
  readonly isOpen: () => boolean;
  /** Tries a refused stream again if that is due; the timers of a hidden page may come minutes late. */
  readonly poke: () => void;
  readonly close: () => void;
}

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

/** Keeps a stream open until it is closed. A refused one is tried again; a broken one reconnects by itself. */
export function openEventStream({ onEvent, onOpened, onRefused }: StreamEvents): EventStream {
  let source: EventSource | null = null;
  let timer: number | undefined;
  let refusedAt: number | null = null;
  let isOpen = false;
  const connect = () => {
    window.clearTimeout(timer);
    source = new EventSource("/api/events", { withCredentials: true });
    source.onopen = () => {
      isOpen = true;
      refusedAt = null;
      onOpened();
    };
    source.onmessage = (message) => {
      const event = readEvent(message);
      if (event !== null) onEvent(event);
    };
    source.onerror = () => {
      isOpen = false;
      if (source?.readyState !== EventSource.CLOSED) return;
      const isFirst = refusedAt === null;
      refusedAt = performance.now();
      timer = window.setTimeout(connect, reconnectMs);
      if (isFirst) onRefused();
    };
  };
  connect();
  return {
    isOpen: () => isOpen,
    poke() {
      const isWaiting = source?.readyState === EventSource.CLOSED && refusedAt !== null;
      if (isWaiting && performance.now() - (refusedAt ?? 0) >= reconnectMs) connect();
    },
    close() {
      window.clearTimeout(timer);
      source?.close();
    },
  };
}
