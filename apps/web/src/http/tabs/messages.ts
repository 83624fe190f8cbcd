import { LiveEvent } from "@stocktake/contract";
import * as z from "zod/mini";

const from = z.string();
/** How many messages of kind `opened` and `event` the leader has sent; a follower that misses one notices. */
const number = z.int();

/** What the tabs of a browser say to each other about their one stream. `from` names the tab. */
export const TabMessage = z.discriminatedUnion("kind", [
  /** Whoever leads: say so. */
  z.object({ kind: z.literal("ask"), from }),
  /** Wants to lead; used where the browser has no locks. */
  z.object({ kind: z.literal("bid"), from }),
  z.object({ kind: z.literal("leading"), from, number, isOpen: z.boolean() }),
  /** The stream is open (again): what happened before is unknown. */
  z.object({ kind: z.literal("opened"), from, number }),
  z.object({ kind: z.literal("event"), from, number, event: LiveEvent }),
  /** The leader closes, or stops leading. */
  z.object({ kind: z.literal("left"), from }),
]);
export type TabMessage = z.infer<typeof TabMessage>;

/** Runs something later; returns the function that cancels it. */
export interface Timers {
  after(milliseconds: number, work: () => void): () => void;
}

/** The other tabs of the browser: a BroadcastChannel. */
export interface OtherTabs {
  tell(message: TabMessage): void;
  close(): void;
}

/** Joins a channel. A tab of another version of the app may send what is new to this one: it is passed over. */
export function openChannel(name: string, hear: (message: TabMessage) => void): OtherTabs {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = z.safeParse(TabMessage, data);
    if (message.success) hear(message.data);
  };
  let isOpen = true;
  return {
    // What was begun before a tab leaves, as a bid to lead, may end after it: then nobody is to hear of it.
    tell(message) {
      if (isOpen) channel.postMessage(message);
    },
    close() {
      isOpen = false;
      channel.close();
    },
  };
}
