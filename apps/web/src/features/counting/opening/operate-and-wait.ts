import type {
  CountingDevice,
  OperationDraft,
  OutboxEvent,
  PendingOperation,
} from "../../../offline/offline.ts";

/** What came of an operation: the server's word on it, or that it waits in the queue. */
export type OperationResult =
  | { readonly kind: "settled"; readonly operation: PendingOperation }
  | { readonly kind: "queued"; readonly operation: PendingOperation };

// A server that takes longer than this is as good as away: the operation is safe in the queue.
const timeoutMs = 12_000;

function stillWaits(device: CountingDevice, event: OutboxEvent): boolean {
  return event.type === "stopped" && (event.reason !== "busy" || !device.connectivity.isOnline());
}

/**
 * Puts an operation in the outbox and waits for the server's answer: not at all while the server is away, and for at most
 * twelve seconds otherwise. Rejects only where the device could not keep it.
 */
export async function operateAndWait(
  device: CountingDevice,
  draft: OperationDraft,
): Promise<OperationResult> {
  const settled = new Map<number, PendingOperation>();
  let onEvent: (event: OutboxEvent) => void = () => {};
  const unsubscribe = device.bus.subscribe((event) => {
    if (event.type === "operation_settled") settled.set(event.operation.id, event.operation);
    onEvent(event);
  });
  try {
    const operation = await device.operate(draft);
    if (!device.connectivity.isOnline()) return { kind: "queued", operation };
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ kind: "queued", operation }), timeoutMs);
      onEvent = (event) => {
        const answered = settled.get(operation.id);
        if (answered === undefined && !stillWaits(device, event)) return;
        clearTimeout(timer);
        resolve(
          answered === undefined ? { kind: "queued", operation } : { kind: "settled", operation: answered },
        );
      };
      const already = settled.get(operation.id);
      if (already !== undefined) onEvent({ type: "operation_settled", operation: already });
    });
  } finally {
    unsubscribe();
  }
}
