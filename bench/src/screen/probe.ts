/** One scan as the page lived through it, in milliseconds. */
export interface ScanTimes {
  /** From the Enter key to the count, the banner and the sound. */
  readonly total: number;
  /** Of that, until the browser had the scan on its disk. */
  readonly write: number;
}

declare global {
  interface Window {
    scanTimes?: ScanTimes[];
  }
}

/**
 * Runs in the page, before its own code: measures from each Enter to the moment at which the count has changed, and how
 * long the strict transaction of the scan took.
 */
export function installProbe(): void {
  const times: ScanTimes[] = [];
  window.scanTimes = times;
  let enteredAt: number | null = null;
  let write = 0;
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter") return;
      enteredAt = performance.now();
      write = 0;
    },
    { capture: true },
  );
  const open = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given) {
    const transaction = open.apply(this, given);
    const stores = [...transaction.objectStoreNames];
    const isScan = stores.includes("pendingScans") && stores.includes("settings") && stores.length === 2;
    if (!isScan || enteredAt === null || write > 0) return transaction;
    const startedAt = performance.now();
    transaction.addEventListener("complete", () => {
      write = performance.now() - startedAt;
    });
    return transaction;
  };
  const watch = new MutationObserver((changes) => {
    const isCount = changes.some(({ target }) => target.parentElement?.tagName === "OUTPUT");
    if (!isCount || enteredAt === null) return;
    times.push({ total: performance.now() - enteredAt, write });
    enteredAt = null;
  });
  document.addEventListener("DOMContentLoaded", () =>
    watch.observe(document.body, { subtree: true, characterData: true }),
  );
}
