/** One Enter as the page lived through it: milliseconds from the key, null for what did not happen. */
export interface EnterTimes {
  /** The status banner changed. */
  banner: number | null;
  /** The count changed. */
  count: number | null;
  /** The sound's first tone was handed to the audio hardware. */
  sound: number | null;
  /** How long the strict transaction of the scan took, from its opening until the browser had it on its disk. */
  write: number | null;
}

/** One key typed into a dialog's field: milliseconds from the key, null for what did not happen. */
export interface KeyTimes {
  /** The next frame was painted. */
  painted: number | null;
  /** The list of what was found changed. */
  found: number | null;
}

/** What the page recorded since it was loaded or last forgot. */
export interface PageRecord {
  enters: EnterTimes[];
  keys: KeyTimes[];
  /** READY TO SCAN, in milliseconds since the page began to load. */
  readyAt: number | null;
  /** How many product workers have ended. */
  workersEnded: number;
  /** Durations of the main thread's tasks of 50 ms and more (Long Tasks API). */
  longTasks: number[];
}

declare global {
  interface Window {
    pageRecord?: PageRecord;
  }
}

/**
 * Runs in the page, before its own code, and must hold everything it needs. Its parts are methods: to functions of other
 * kinds the compiler adds a call that the page does not have.
 */
export function installProbe(): void {
  const record: PageRecord = { enters: [], keys: [], readyAt: null, workersEnded: 0, longTasks: [] };
  window.pageRecord = record;
  const probe = {
    enteredAt: 0,
    mark(what: keyof EnterTimes) {
      const enter = record.enters.at(-1);
      if (enter !== undefined) enter[what] ??= performance.now() - probe.enteredAt;
    },
    watchKey({ target }: KeyboardEvent) {
      if (!(target instanceof Element) || target.closest("[role=dialog]") === null) return;
      const key: KeyTimes = { painted: null, found: null };
      const typedAt = probe.enteredAt;
      record.keys.push(key);
      // After the frame that shows it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          key.painted = performance.now() - typedAt;
        };
        port2.postMessage(null);
      });
    },
    watchKeys() {
      window.addEventListener(
        "keydown",
        (event) => {
          probe.enteredAt = performance.now();
          if (event.key !== "Enter") {
            probe.watchKey(event);
            return;
          }
          record.enters.push({ banner: null, count: null, sound: null, write: null });
        },
        { capture: true },
      );
    },
    watchWrites() {
      const open = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given) {
        const transaction = open.apply(this, given);
        const enter = record.enters.at(-1);
        const stores = [...transaction.objectStoreNames];
        const isScan = stores.includes("pendingScans") && stores.includes("settings") && stores.length === 2;
        if (!isScan || enter === undefined || enter.write !== null) return transaction;
        const startedAt = performance.now();
        // The first listener there is: nothing of the page's own runs before it.
        transaction.addEventListener("complete", () => {
          enter.write ??= performance.now() - startedAt;
        });
        return transaction;
      };
    },
    watchSounds() {
      const start = AudioScheduledSourceNode.prototype.start;
      AudioScheduledSourceNode.prototype.start = function (this: AudioScheduledSourceNode, ...given) {
        probe.mark("sound");
        return start.apply(this, given);
      };
    },
    watchWorkers() {
      const terminate = Worker.prototype.terminate;
      Worker.prototype.terminate = function (this: Worker) {
        record.workersEnded += 1;
        terminate.call(this);
      };
    },
    watchScreen() {
      const changes = new MutationObserver((found) => {
        for (const { target } of found) {
          const element = target instanceof Element ? target : target.parentElement;
          if (element?.closest("output") != null) probe.mark("count");
          if (element?.closest("[data-state]") != null) probe.mark("banner");
          const key = record.keys.at(-1);
          const isList = element?.closest("[role=dialog] form") != null && element.tagName !== "INPUT";
          // Photos that come later change the list again.
          if (key !== undefined && isList) key.found ??= performance.now() - probe.enteredAt;
        }
        const isReady = document.querySelector("[data-state]")?.textContent?.includes("READY TO SCAN");
        if (isReady === true) record.readyAt ??= performance.now();
      });
      changes.observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    },
  };
  probe.watchKeys();
  probe.watchWrites();
  probe.watchSounds();
  probe.watchWorkers();
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) record.longTasks.push(task.duration);
  }).observe({ type: "longtask" });
  document.addEventListener("DOMContentLoaded", () => probe.watchScreen());
}
