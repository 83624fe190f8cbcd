import type { CDPSession, Page } from "@playwright/test";
import { expect } from "./stage.ts";

/** The browser's own tools, for what a page can't do to itself. */
function toolsOf(page: Page): Promise<CDPSession> {
  return page.context().newCDPSession(page);
}

/** All that a browser short of space takes from a site: everything but its cookies. */
const evicted = "indexeddb,local_storage,cache_storage,service_workers";

export async function evictStorage(page: Page): Promise<void> {
  const tools = await toolsOf(page);
  const { origin } = new URL(page.url());
  await tools.send("Storage.clearDataForOrigin", { origin, storageTypes: evicted });
}

const mebibyte = 1_048_576;
const largestPiece = 4 * mebibyte;
const smallestPiece = 64;

/** Writes one piece of so many bytes; false where the browser has no room for it. */
async function writePiece(page: Page, bytes: number): Promise<boolean> {
  return page.evaluate(async (length) => {
    const opening = indexedDB.open("ballast");
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onupgradeneeded = () => opening.result.createObjectStore("pieces", { autoIncrement: true });
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const writing = database.transaction("pieces", "readwrite");
    // Random, because the browser compresses what it stores.
    const piece = new Uint8Array(length);
    for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(piece.subarray(at, at + 65_536));
    writing.objectStore("pieces").add(piece);
    const isWritten = await new Promise<boolean>((resolve) => {
      writing.oncomplete = () => resolve(true);
      writing.onabort = () => resolve(false);
    });
    database.close();
    return isWritten;
  }, bytes);
}

/** Room that a test can take from a site, and give back. */
interface LimitedStorage {
  /** Leaves the site no room, down to less than a scan needs. */
  readonly fill: () => Promise<void>;
  /** Ends once the browser has noticed. */
  readonly makeRoom: () => Promise<void>;
}

/**
 * Gives a site so little room that it can be filled. To be called before the page first writes: for half a minute the
 * browser goes on by what it once had found to be left.
 */
export async function limitStorage(page: Page, origin: string): Promise<LimitedStorage> {
  const tools = await toolsOf(page);
  const setQuota = (quotaSize: number) => tools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
  await setQuota(64 * mebibyte);
  return {
    async fill() {
      for (let bytes = largestPiece; bytes >= smallestPiece; ) {
        if (!(await writePiece(page, bytes))) bytes /= 2;
      }
    },
    async makeRoom() {
      await setQuota(1_024 * mebibyte);
      await expect.poll(() => writePiece(page, smallestPiece)).toBe(true);
    },
  };
}
