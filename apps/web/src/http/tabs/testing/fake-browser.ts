import type { LiveEvent } from "@stocktake/contract";
import { createManualClock, type ManualClock } from "../../../offline/testing/manual-clock.ts";
import type { StreamEvents } from "../event-stream.ts";
import { createBidLeadership, createLockLeadership, type TabLocks } from "../leadership.ts";
import type { TabMessage, Timers } from "../messages.ts";
import { type SharedStream, shareStream } from "../shared-stream.ts";

interface LockRequest {
  readonly owner: FakeTab;
  readonly work: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** One exclusive lock, with the browser's queue, stealing, and release when a tab dies. */
class FakeLock {
  private holder: LockRequest | null = null;
  private queue: LockRequest[] = [];

  of(owner: FakeTab): TabLocks {
    return {
      request: (_name, options, work) =>
        new Promise((resolve, reject) => {
          const request: LockRequest = { owner, work, resolve, reject };
          options.signal?.addEventListener("abort", () => this.forget(request));
          if (options.steal === true) this.rob(request);
          else this.queue.push(request);
          this.grant();
        }),
    };
  }

  releaseAllOf(owner: FakeTab): void {
    this.queue = this.queue.filter((waiting) => waiting.owner !== owner);
    if (this.holder?.owner === owner) this.holder = null;
    this.grant();
  }

  private forget(request: LockRequest): void {
    if (this.holder === request) return;
    this.queue = this.queue.filter((waiting) => waiting !== request);
    request.reject(new DOMException("Aborted.", "AbortError"));
  }

  private rob(thief: LockRequest): void {
    const robbed = this.holder;
    this.holder = null;
    this.queue.unshift(thief);
    robbed?.owner.run(() => robbed.reject(new DOMException("Stolen.", "AbortError")));
  }

  private grant(): void {
    const next = this.holder === null ? this.queue.shift() : undefined;
    if (next === undefined) return;
    this.holder = next;
    next.owner.run(() => void this.hold(next));
  }

  private async hold(request: LockRequest): Promise<void> {
    await request.work();
    request.resolve();
    if (this.holder === request) this.holder = null;
    this.grant();
  }
}

/** A tab of a browser: it can close, die without a word, or be frozen, as phones do with what is in the background. */
export class FakeTab {
  readonly heard: LiveEvent[] = [];
  gaps = 0;
  isVisible = true;
  /** The server's side of this tab's stream; null while it has none. */
  stream: StreamEvents | null = null;
  private readonly shared: SharedStream;
  private readonly browser: FakeBrowser;
  private state: "awake" | "frozen" | "dead" = "awake";
  private postponed: (() => void)[] = [];
  private unread: TabMessage[] = [];
  private hear: (message: TabMessage) => void = () => {};

  constructor(browser: FakeBrowser, name: string) {
    this.browser = browser;
    const timers: Timers = { after: (ms, work) => browser.clock.after(ms, () => this.run(work)) };
    this.shared = shareStream(
      {
        ...{ tab: name, timers },
        isVisible: () => this.isVisible,
        openChannel: (hear) => {
          this.hear = hear;
          return { tell: (message) => browser.tell(this, message), close: () => this.leave() };
        },
        createLeadership: (tell, events) =>
          browser.lock === null
            ? createBidLeadership({ tab: name, timers, tell }, events)
            : createLockLeadership(browser.lock.of(this), "lead", events),
        openStream: (events) => this.openStream(events),
      },
      {
        onEvent: (event) => this.heard.push(event),
        onGap: () => {
          this.gaps += 1;
        },
        onRefused: () => {},
      },
    );
  }

  /** Now, when the tab is awake again, or never. */
  run(work: () => void): void {
    if (this.state === "awake") work();
    else if (this.state === "frozen") this.postponed.push(work);
  }

  receive(message: TabMessage): void {
    if (this.state === "frozen") this.unread.push(message);
    else if (this.state === "awake") this.hear(message);
  }

  close(): void {
    this.shared.close();
  }

  die(): void {
    this.leave();
    this.stream = null;
    this.browser.lock?.releaseAllOf(this);
  }

  freeze(): void {
    this.state = "frozen";
  }

  /** @param unreadMessages whether the browser kept what the other tabs said meanwhile */
  thaw(unreadMessages: "kept" | "lost"): void {
    this.state = "awake";
    for (const work of this.postponed.splice(0)) work();
    const unread = this.unread.splice(0);
    if (unreadMessages === "kept") for (const message of unread) this.hear(message);
  }

  show(): void {
    this.isVisible = true;
    this.shared.check();
  }

  private leave(): void {
    this.state = "dead";
    this.browser.tabs.delete(this);
  }

  private openStream(events: StreamEvents) {
    this.stream = events;
    let isOpen = false;
    this.browser.opening.push(() => {
      if (this.stream !== events) return;
      isOpen = true;
      this.run(events.onOpened);
    });
    const close = () => {
      this.stream = null;
    };
    return { isOpen: () => isOpen, poke: () => {}, close };
  }
}

/** Tabs with a channel and, where it is a secure page, a lock between them. */
export class FakeBrowser {
  readonly clock: ManualClock = createManualClock();
  readonly tabs = new Set<FakeTab>();
  readonly lock: FakeLock | null;
  /** Streams that the server has not accepted yet. */
  opening: (() => void)[] = [];
  private messages: { readonly to: FakeTab; readonly message: TabMessage }[] = [];

  constructor(hasLocks: boolean) {
    this.lock = hasLocks ? new FakeLock() : null;
  }

  /** Opens a tab under a name, and lets everything come to rest. */
  async open(name: string): Promise<FakeTab> {
    const tab = new FakeTab(this, name);
    this.tabs.add(tab);
    await this.pass(500);
    return tab;
  }

  tell(from: FakeTab, message: TabMessage): void {
    for (const to of this.tabs) if (to !== from) this.messages.push({ to, message });
  }

  /** The server sends an event down every stream. */
  async happen(event: LiveEvent): Promise<void> {
    for (const tab of this.tabs) tab.run(() => tab.stream?.onEvent(event));
    await this.settle();
  }

  leaders(): FakeTab[] {
    return [...this.tabs].filter(({ stream }) => stream !== null);
  }

  /** Time passes, with everything that it brings. */
  async pass(milliseconds: number): Promise<void> {
    await this.settle();
    for (let passed = 0; passed < milliseconds; passed += 100) {
      this.clock.advance(100);
      await this.settle();
    }
  }

  private async settle(): Promise<void> {
    // A lock changes hands over a few promises.
    for (let quiet = 0; quiet < 10; quiet += 1) {
      const work = [
        ...this.opening,
        ...this.messages.map(
          ({ to, message }) =>
            () =>
              to.receive(message),
        ),
      ];
      this.opening = [];
      this.messages = [];
      if (work.length > 0) quiet = 0;
      for (const each of work) each();
      await Promise.resolve();
    }
  }
}
