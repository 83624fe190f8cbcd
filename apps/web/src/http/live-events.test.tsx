import { QueryClient, QueryClientProvider, QueryObserver } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveEventsProvider, useLiveEvents } from "./live-events.tsx";
import { queryRoots } from "./query-roots.ts";

/** A stream as a browser opens it, which a test lets speak, break and come back. */
class FakeStream {
  static readonly CLOSED = 2;
  static opened: FakeStream[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor() {
    FakeStream.opened.push(this);
  }

  close(): void {
    this.readyState = FakeStream.CLOSED;
  }

  say(data: unknown): void {
    act(() => this.onmessage?.({ data: typeof data === "string" ? data : JSON.stringify(data) }));
  }

  refuse(): void {
    this.readyState = FakeStream.CLOSED;
    this.onerror?.();
  }
}

const listener = vi.fn();

function Listener() {
  useLiveEvents(listener);
  return null;
}

const refused = vi.fn();

function follow(userId: string | null = "u1") {
  const client = new QueryClient();
  const invalidated = vi.spyOn(client, "invalidateQueries");
  render(
    <QueryClientProvider client={client}>
      <LiveEventsProvider userId={userId} onRefused={refused}>
        <Listener />
      </LiveEventsProvider>
    </QueryClientProvider>,
  );
  const roots = () => invalidated.mock.calls.map(([filters]) => filters?.queryKey?.[0]);
  return { client, roots };
}

function stream(): FakeStream {
  const latest = FakeStream.opened.at(-1);
  if (latest === undefined) throw new Error("No stream was opened.");
  return latest;
}

beforeEach(() => {
  FakeStream.opened = [];
  listener.mockClear();
  refused.mockClear();
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeStream);
  // A browser without channels between tabs: each has a stream of its own.
  vi.stubGlobal("BroadcastChannel", undefined);
});

afterEach(() => vi.useRealTimers());

describe("the stream of what changed", () => {
  it("is not opened while nobody is signed in", () => {
    follow(null);
    expect(FakeStream.opened).toEqual([]);
  });

  it("makes stale what an event is about, and notifies listeners", () => {
    const { roots } = follow();
    stream().say({ type: "invitation", sessionId: "s1" });
    // Somebody may have asked to join, which the bell tells of.
    const { invitations, outbox, plans, notices } = queryRoots;
    expect(roots()).toEqual([invitations, outbox, plans, notices]);
    expect(listener).toHaveBeenCalledWith({ type: "invitation", sessionId: "s1" });
  });

  it("what is being read for the first time as an event comes is read once more", async () => {
    const { client } = follow();
    const answers: ((value: string) => void)[] = [];
    const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
    const observer = new QueryObserver(client, { queryKey: [queryRoots.areas], queryFn });
    const leave = observer.subscribe(() => undefined);
    stream().say({ type: "area", sessionId: "s1" });
    expect(answers).toHaveLength(1);
    answers[0]?.("of before");
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.("of now");
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("of now"));
    leave();
  });

  it("and once only, however many events come while it is being read", async () => {
    const { client } = follow();
    const answers: ((value: string) => void)[] = [];
    const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
    const observer = new QueryObserver(client, { queryKey: [queryRoots.areas], queryFn });
    const leave = observer.subscribe(() => undefined);
    for (const type of ["area", "scan", "area", "scan"]) {
      stream().say({ type, sessionId: "s1" });
      await vi.advanceTimersByTimeAsync(5_000);
    }
    answers[0]?.("of before");
    await vi.advanceTimersByTimeAsync(100);
    expect(answers).toHaveLength(2);
    leave();
  });

  it("a change by an administrator makes stale what is to be counted again: a count set by hand is off it", () => {
    const { roots } = follow();
    stream().say({ type: "adjustment", sessionId: "s1" });
    expect(roots()).toContain(queryRoots.passes);
  });

  it("a store that is renamed or gone, or lost a location, is shown so in plans, in progress and in sessions too", () => {
    const { roots } = follow();
    stream().say({ type: "store", storeId: "store-1" });
    const { stores, locations, areas, plans, progress, sessions } = queryRoots;
    expect(roots()).toEqual([stores, locations, areas, plans, progress, sessions]);
  });

  it("a burst of scans is read again once at its start and once after a pause", () => {
    const { roots } = follow();
    for (let count = 0; count < 50; count += 1) stream().say({ type: "scan", sessionId: "s1" });
    const times = () => roots().filter((root) => root === queryRoots.progress).length;
    expect(times()).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(times()).toBe(2);
  });

  it("an area that changes in the middle of a burst of scans is read again at once", () => {
    const { roots } = follow();
    for (let count = 0; count < 50; count += 1) stream().say({ type: "scan", sessionId: "s1" });
    const times = () => roots().filter((root) => root === queryRoots.passes).length;
    expect(times()).toBe(0);
    stream().say({ type: "area", sessionId: "s1" });
    expect(times()).toBe(1);
  });

  it("what is not an event is passed over", () => {
    const { roots } = follow();
    stream().say("not json");
    stream().say({ type: "something newer" });
    expect(roots()).toEqual([]);
  });

  it("what was read before the stream was open is read again two seconds after it is, once the page is drawn", () => {
    const { roots } = follow();
    stream().onopen?.();
    vi.advanceTimersByTime(1_999);
    expect(roots()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(roots()).toEqual([undefined]);
  });

  it("what was read since the stream was open is not read again, unless the clock was set back", () => {
    const { client, roots } = follow();
    const readAgain = (key: string) =>
      client.getQueryCache().find({ queryKey: [key] })?.state.isInvalidated === true;
    client.setQueryData(["before"], 1);
    vi.advanceTimersByTime(100);
    stream().onopen?.();
    vi.advanceTimersByTime(100);
    client.setQueryData(["since"], 1);
    client.setQueryData(["by a clock that was fast"], 1, { updatedAt: Date.now() + 60_000 });
    vi.advanceTimersByTime(2_000);
    expect(roots()).toEqual([undefined]);
    expect(["before", "since", "by a clock that was fast"].filter(readAgain)).toEqual([
      "before",
      "by a clock that was fast",
    ]);
  });

  it("a refused stream is tried again, and after it is back everything is read again", () => {
    const { roots } = follow();
    stream().onopen?.();
    stream().refuse();
    expect(refused).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(5_000);
    expect(FakeStream.opened).toHaveLength(2);
    stream().refuse();
    expect(refused).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(5_000);
    stream().onopen?.();
    expect(roots()).toEqual([undefined, undefined]);
  });

  it("a hidden page reads again when it is looked at, but notifies at once", () => {
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    const { roots } = follow();
    stream().say({ type: "invitation", sessionId: "s1" });
    expect(listener).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(roots()).toEqual([]);
    visibility.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    const { invitations, outbox, plans, notices } = queryRoots;
    expect(roots()).toEqual([invitations, outbox, plans, notices]);
  });

  it("a page that the browser puts away ends its stream, and reads everything again when it is back", () => {
    const { roots } = follow();
    stream().onopen?.();
    vi.advanceTimersByTime(10_000);
    window.dispatchEvent(new Event("pagehide"));
    expect(stream().readyState).toBe(FakeStream.CLOSED);
    window.dispatchEvent(new Event("pageshow"));
    expect(FakeStream.opened).toHaveLength(2);
    expect(roots()).toEqual([undefined, undefined]);
  });
});

/** The browser's channels: what is sent on one arrives in the others of its name. */
class FakeChannel {
  static open: FakeChannel[] = [];
  onmessage: ((message: { data: unknown }) => void) | null = null;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
    FakeChannel.open.push(this);
  }

  postMessage(data: unknown): void {
    const others = FakeChannel.open.filter((other) => other !== this && other.name === this.name);
    for (const other of others) queueMicrotask(() => act(() => other.onmessage?.({ data })));
  }

  close(): void {
    FakeChannel.open = FakeChannel.open.filter((other) => other !== this);
  }
}

describe("two pages in one browser", () => {
  beforeEach(() => {
    FakeChannel.open = [];
    vi.stubGlobal("BroadcastChannel", FakeChannel);
  });

  it("of one person share a stream, over which both hear", async () => {
    follow();
    await vi.advanceTimersByTimeAsync(500);
    follow();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(FakeStream.opened).toHaveLength(1);
    stream().say({ type: "catalogue" });
    await vi.advanceTimersByTimeAsync(0);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it("of different people hear nothing of each other", async () => {
    follow("u1");
    follow("u2");
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeStream.opened).toHaveLength(2);
    stream().say({ type: "catalogue" });
    await vi.advanceTimersByTimeAsync(0);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("pass over what a page of another version says", async () => {
    follow();
    await vi.advanceTimersByTimeAsync(500);
    const [channel] = FakeChannel.open;
    channel?.onmessage?.({ data: { kind: "something newer", from: "x" } });
    channel?.onmessage?.({ data: "text" });
    expect(FakeStream.opened).toHaveLength(1);
  });
});
