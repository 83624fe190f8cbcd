import type { LiveEvent } from "@stocktake/contract";
import type { EventStream, StreamEvents } from "./event-stream.ts";
import type { Leadership, LeadershipEvents } from "./leadership.ts";
import type { OtherTabs, TabMessage, Timers } from "./messages.ts";

const askMs = 1_000;

export interface SharedStreamPorts {
  /** Names this tab among the others. */
  readonly tab: string;
  readonly timers: Timers;
  readonly isVisible: () => boolean;
  readonly openChannel: (hear: (message: TabMessage) => void) => OtherTabs;
  readonly createLeadership: (tell: OtherTabs["tell"], events: LeadershipEvents) => Leadership;
  readonly openStream: (events: StreamEvents) => EventStream;
}

export interface SharedStreamEvents {
  readonly onEvent: (event: LiveEvent) => void;
  /** Events may have been missed: whatever was read before may be stale. */
  readonly onGap: () => void;
  readonly onRefused: () => void;
}

export interface SharedStream {
  /** Asks the leader at once: after the page was hidden it may have missed something, or the leader may be gone. */
  readonly check: () => void;
  /** Leaves the other tabs; one of them takes over the stream. */
  readonly close: () => void;
}

type Sequel = Extract<TabMessage, { number: number }>;

/** What this tab has heard of the leader, to find out what it has missed. */
function createHearing({ onEvent, onGap }: SharedStreamEvents) {
  let last: { readonly from: string; readonly number: number } | null = null;
  // A tab listens from before it reads anything: what came before its first message is no gap.
  const continues = ({ from, number }: Sequel, step: number) =>
    last === null || (last.from === from && last.number + step === number);
  return (message: Sequel) => {
    const isGap =
      message.kind === "opened" ||
      (message.kind === "event" && !continues(message, 1)) ||
      // A leader whose stream is not open yet tells when it is.
      (message.kind === "leading" && message.isOpen && !continues(message, 0));
    last = message;
    if (isGap) onGap();
    if (message.kind === "event") onEvent(message.event);
  };
}

/** The stream, while this tab leads: what it says goes to this tab and to the others. */
function createLead(
  { tab, openStream }: SharedStreamPorts,
  tell: OtherTabs["tell"],
  events: SharedStreamEvents,
) {
  let stream: EventStream | null = null;
  let number = 0;
  const announce = () => {
    if (stream === null) return;
    // The timers of a hidden page come late; the question of a visible one does not.
    stream.poke();
    tell({ kind: "leading", from: tab, number, isOpen: stream.isOpen() });
  };
  return {
    isLeading: () => stream !== null,
    announce,
    begin() {
      stream = openStream({
        onOpened() {
          number += 1;
          tell({ kind: "opened", from: tab, number });
          events.onGap();
        },
        onEvent(event) {
          number += 1;
          tell({ kind: "event", from: tab, number, event });
          events.onEvent(event);
        },
        onRefused: events.onRefused,
      });
      announce();
    },
    end() {
      stream?.close();
      stream = null;
    },
  };
}

/** Asks whether the leader is there, and seizes the lead from one that stays silent. */
function createWatch({ tab, timers }: SharedStreamPorts, tell: OtherTabs["tell"], leadership: Leadership) {
  let unanswered = 0;
  let cancel = () => {};
  const ask = () => {
    if (unanswered < leadership.unansweredLimit) {
      unanswered += 1;
      tell({ kind: "ask", from: tab });
    } else {
      unanswered = 0;
      leadership.seize();
    }
  };
  return {
    ask,
    answered() {
      unanswered = 0;
    },
    begin(isWanted: () => boolean) {
      const wait = () => {
        cancel = timers.after(askMs, () => {
          if (isWanted()) ask();
          else unanswered = 0;
          wait();
        });
      };
      ask();
      wait();
    },
    end: () => cancel(),
  };
}

/**
 * One stream for all tabs of a browser, which opens only six connections to a server. The leading tab holds the stream and
 * passes on what it says; a follower asks every second while it is visible whether the leader is there, and takes over from
 * one that is silent.
 */
export function shareStream(ports: SharedStreamPorts, events: SharedStreamEvents): SharedStream {
  const { tab } = ports;
  const hearing = createHearing(events);

  function hear(message: TabMessage): void {
    leadership.hear(message);
    if (message.kind === "left") return;
    if (message.kind === "ask" || message.kind === "bid") lead.announce();
    else if (!lead.isLeading()) {
      watch.answered();
      hearing(message);
    } else if (message.from > tab) {
      // Of two that lead, the other one gives way when it hears this.
      lead.announce();
    }
  }

  const tabs = ports.openChannel(hear);
  const lead = createLead(ports, tabs.tell, events);
  const leadership = ports.createLeadership(tabs.tell, {
    onLead: lead.begin,
    onLost() {
      lead.end();
      events.onGap();
    },
  });
  const watch = createWatch(ports, tabs.tell, leadership);
  const isFollowing = () => !lead.isLeading() && ports.isVisible();
  leadership.wait();
  watch.begin(isFollowing);
  return {
    check() {
      if (isFollowing()) watch.ask();
    },
    close() {
      watch.end();
      if (lead.isLeading()) tabs.tell({ kind: "left", from: tab });
      lead.end();
      leadership.leave();
      tabs.close();
    },
  };
}
