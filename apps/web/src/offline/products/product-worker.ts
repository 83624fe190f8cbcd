import * as z from "zod/mini";
import { openStocktakeDatabase } from "../database/database.ts";
import { type PackedProducts, packedBuffers } from "./packed-products.ts";
import { type WorkerReport, WorkerRequest } from "./product-worker-messages.ts";
import { createProductWriter, ForeignAnswerError } from "./product-writer.ts";

declare const self: DedicatedWorkerGlobalScope;

// The content security policy forbids eval, which zod would otherwise try.
z.config({ jitless: true });

function report(message: WorkerReport, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer);
}

async function work(request: WorkerRequest): Promise<PackedProducts | null> {
  const writer = createProductWriter(await openStocktakeDatabase());
  if (request.kind === "pack") return writer.pack(request.storeId, request.now);
  return writer.replace(request, (written, of) => report({ kind: "rows", written, of }));
}

self.addEventListener("message", (event: MessageEvent<unknown>) => {
  work(z.parse(WorkerRequest, event.data)).then(
    (packed) => report({ kind: "done", packed }, packed === null ? [] : packedBuffers(packed)),
    (error: unknown) =>
      report(error instanceof ForeignAnswerError ? { kind: "foreign_answer" } : { kind: "failed", error }),
  );
});
