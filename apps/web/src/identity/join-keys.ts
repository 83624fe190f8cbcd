const prefix = "stocktake.joinKey.";
const pendingPrefix = "stocktake.pendingJoin.";
const lastKey = "stocktake.lastJoin";

function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    // A browser may block storage; then a reload asks anew.
    return null;
  }
}

/** 32 random bytes in base64url: what opens the session once its owner is admitted. Also available on plain http. */
export function newJoinKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * The keys by which people have asked at a code with this browser, the last one last. They stay until their session is over,
 * so that who signs out, and joins again, is the same counter.
 */
export function readJoinKeys(code: string): readonly string[] {
  return (
    storage()
      ?.getItem(prefix + code)
      ?.split(",") ?? []
  );
}

/** The code that was asked at last; null where no key is kept. */
export function readLastCode(): string | null {
  return storage()?.getItem(lastKey) ?? null;
}

export function keepJoinKey(code: string, key: string): void {
  write(code, [...readJoinKeys(code), key]);
  forgetPendingJoin(code);
}

const asPending = (key: string, name: string) => `${key},${name.trim().toLowerCase()}`;

/**
 * The key to ask with under a name: the one by which it was asked before without an answer, by this page or an earlier one,
 * or else this new one. Kept until there is an answer: the server may have heard the request, and takes the same key for the
 * same. Whoever gives another name on the same phone may be somebody else.
 */
export function pendingJoinKey(code: string, name: string, newKey: string): string {
  const pending = storage()?.getItem(pendingPrefix + code) ?? "";
  const [key = newKey] = pending.split(",");
  if (pending === asPending(key, name)) return key;
  try {
    storage()?.setItem(pendingPrefix + code, asPending(newKey, name));
  } catch (error) {
    // Storage is full: the key holds while the page is open.
    globalThis.reportError(error);
  }
  return newKey;
}

export function forgetPendingJoin(code: string): void {
  storage()?.removeItem(pendingPrefix + code);
}

export function forgetJoinKey(code: string, key: string): void {
  write(
    code,
    readJoinKeys(code).filter((kept) => kept !== key),
  );
}

function write(code: string, keys: readonly string[]): void {
  try {
    if (keys.length > 0) {
      storage()?.setItem(prefix + code, keys.join(","));
      storage()?.setItem(lastKey, code);
      return;
    }
    storage()?.removeItem(prefix + code);
    if (readLastCode() === code) storage()?.removeItem(lastKey);
  } catch (error) {
    // Storage is full: waiting still works while the page is open.
    globalThis.reportError(error);
  }
}
