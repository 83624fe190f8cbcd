import type { LoginEnd } from "@stocktake/contract";

const eventName = "stocktake:unauthenticated";

/** Announces that a call was answered with 401: the login is over, and why, where the server says it. */
export function announceUnauthenticated(loginEnd: LoginEnd | null): void {
  globalThis.dispatchEvent(new CustomEvent(eventName, { detail: loginEnd }));
}

/** Calls back whenever a call is answered with 401; returns a function that stops listening. */
export function onUnauthenticated(listener: (loginEnd: LoginEnd | null) => void): () => void {
  const hear = (event: Event) => listener(event instanceof CustomEvent ? event.detail : null);
  globalThis.addEventListener(eventName, hear);
  return () => globalThis.removeEventListener(eventName, hear);
}
