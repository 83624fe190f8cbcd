const prefix = "stocktake.joinKey.";
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
