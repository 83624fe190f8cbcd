const prefix = "stocktake.joinKey.";

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

/** The key by which this browser has asked at a code; null where it has not. A reload goes on waiting. */
export function readJoinKey(token: string): string | null {
  return storage()?.getItem(prefix + token) ?? null;
}

/** Null forgets it. */
export function rememberJoinKey(token: string, key: string | null): void {
  try {
    if (key === null) storage()?.removeItem(prefix + token);
    else storage()?.setItem(prefix + token, key);
  } catch (error) {
    // Storage is full: waiting still works while the page is open.
    globalThis.reportError(error);
  }
}
