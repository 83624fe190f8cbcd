/** Messages between pages and the service worker. */

/** The tag with which the browser is asked to wake the app once there is a network again. */
export const outboxSyncTag = "stocktake-outbox";

/** From the worker: there is a network again, the outbox may be sent. */
export const outboxWakeUp = { type: "send_outbox" } as const;

/** To a waiting worker: a person wants the new version now. */
export const takeOver = { type: "take_over" } as const;

/** Whether what came over the wire is this message. */
export function isMessage(received: unknown, { type }: { readonly type: string }): boolean {
  return typeof received === "object" && received !== null && "type" in received && received.type === type;
}
