/** The device's clock, in milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Milliseconds since some moment of this page, by a clock that nobody sets. On some systems it stops while they sleep. */
  elapsed(): number;
}

/** Runs something later; returns the function that cancels it. */
export interface Timers {
  after(milliseconds: number, work: () => void): () => void;
}

/** Randomness, injected so that tests can repeat it. */
export interface Randomness {
  /** Random bytes of the requested length, suitable for identifiers. */
  bytes(length: number): Uint8Array;
  /** A number from 0 (inclusive) to 1 (exclusive), for jitter. */
  fraction(): number;
}

/** A call as the sync engine makes it. */
export interface OutgoingCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What came back: a response from some server, or none (no network, a timeout). `body` is null where it is not JSON. */
export type RawResponse =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterMs: number | null;
      /** The life of the installation that responded; a restore begins a new one. Null where the response does not say. */
      readonly epoch: string | null;
    }
  | { readonly kind: "no_answer" };

/** Sends one call and never throws. */
export type Send = (call: OutgoingCall) => Promise<RawResponse>;

/** Runs work that only one tab of the device may do at a time; other tabs wait. */
export interface ExclusiveLock {
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The browser's own clock, timers and randomness. */
export const browserPorts: { readonly clock: Clock; readonly timers: Timers; readonly random: Randomness } = {
  clock: { now: () => Date.now(), elapsed: () => performance.now() },
  timers: {
    after(milliseconds, work) {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
  },
  random: {
    // getRandomValues, unlike randomUUID, also works on pages served over plain http.
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    fraction: () => Math.random(),
  },
};
