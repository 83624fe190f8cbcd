const eventName = "stocktake:unauthenticated";

/** Announces that a call was answered with 401: the login is over. */
export function announceUnauthenticated(): void {
  globalThis.dispatchEvent(new Event(eventName));
}

/** Calls back whenever a call is answered with 401; returns a function that stops listening. */
export function onUnauthenticated(listener: () => void): () => void {
  globalThis.addEventListener(eventName, listener);
  return () => globalThis.removeEventListener(eventName, listener);
}
