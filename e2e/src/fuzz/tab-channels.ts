/** One end of a phone's channel between tabs. */
class TabChannel extends EventTarget implements BroadcastChannel {
  readonly name = "tabs";
  onmessage = null;
  onmessageerror = null;
  readonly #others: Set<TabChannel>;

  constructor(others: Set<TabChannel>) {
    super();
    this.#others = others;
    others.add(this);
  }

  postMessage(message: unknown): void {
    const data: unknown = structuredClone(message);
    for (const other of this.#others) {
      if (other !== this) other.dispatchEvent(new MessageEvent("message", { data }));
    }
  }

  close(): void {
    this.#others.delete(this);
  }
}

/** The channel between the tabs of one phone: like BroadcastChannel, but only of this phone and synchronous. */
export class TabChannels {
  readonly #open = new Set<TabChannel>();

  open(): BroadcastChannel {
    return new TabChannel(this.#open);
  }
}
