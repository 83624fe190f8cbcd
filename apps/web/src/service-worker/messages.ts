/** Messages between pages and the service worker. */

/** The tag with which the browser is asked to wake the app once there is a network again. */
export const outboxSyncTag = "stocktake-outbox";

/** From the worker: there is a network again, the outbox may be sent. */
export const outboxWakeUp = { type: "send_outbox" } as const;

/** To a waiting worker: a person wants the new version now. */
export const takeOver = { type: "take_over" } as const;

function hasType(message: unknown, type: string): boolean {
  return typeof message === "object" && message !== null && "type" in message && message.type === type;
}

export function isOutboxWakeUp(message: unknown): boolean {
  return hasType(message, outboxWakeUp.type);
}

export function isTakeOver(message: unknown): boolean {
  return hasType(message, takeOver.type);
}
