import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveEventsProvider, useLiveEvents } from "./live-events.tsx";
import { queryRoots } from "./shared-queries.ts";

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

function follow(active = true) {
  const client = new QueryClient();
  const invalidated = vi.spyOn(client, "invalidateQueries");
  render(
    <QueryClientProvider client={client}>
      <LiveEventsProvider active={active}>
        <Listener />
      </LiveEventsProvider>
    </QueryClientProvider>,
  );
  const roots = () => invalidated.mock.calls.map(([filters]) => filters?.queryKey?.[0]);
  return { roots };
}

function stream(): FakeStream {
  const latest = FakeStream.opened.at(-1);
  if (latest === undefined) throw new Error("No stream was opened.");
  return latest;
}

beforeEach(() => {
  FakeStream.opened = [];
  listener.mockClear();
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeStream);
});

afterEach(() => vi.useRealTimers());

describe("the stream of what changed", () => {
  it("is not opened while nobody is signed in", () => {
    follow(false);
    expect(FakeStream.opened).toEqual([]);
  });

  it("makes stale what an event is about, and notifies listeners", () => {
    const { roots } = follow();
    stream().say({ type: "invitation", sessionId: "s1" });
    expect(roots()).toEqual([queryRoots.invitations, queryRoots.outbox]);
    expect(listener).toHaveBeenCalledWith({ type: "invitation", sessionId: "s1" });
  });

  it("a burst of scans is read again once at its start and once after a pause", () => {
    const { roots } = follow();
    for (let count = 0; count < 50; count += 1) stream().say({ type: "scan", sessionId: "s1" });
    const times = () => roots().filter((root) => root === queryRoots.progress).length;
    expect(times()).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(times()).toBe(2);
  });

  it("what is not an event is passed over", () => {
    const { roots } = follow();
    stream().say("not json");
    stream().say({ type: "something newer" });
    expect(roots()).toEqual([]);
  });

  it("a refused stream is tried again, and after it is back everything is read again", () => {
    const { roots } = follow();
    stream().onopen?.();
    stream().refuse();
    vi.advanceTimersByTime(5_000);
    expect(FakeStream.opened).toHaveLength(2);
    stream().onopen?.();
    expect(roots()).toEqual([undefined]);
  });
});
