import * as z from "zod/mini";
import type { PackedProducts } from "./packed-products.ts";
import { WorkerReport, type WorkerRequest } from "./product-worker-messages.ts";
import { ForeignAnswerError, type ProductWriter } from "./product-writer.ts";

/** The part of a browser's worker that is used here. */
type ProductWorker = Pick<Worker, "addEventListener" | "postMessage" | "terminate">;

type OnRows = Parameters<ProductWriter["replace"]>[1];

function buffersOf(request: WorkerRequest): ArrayBuffer[] {
  if (request.kind === "pack") return [];
  // Pieces may be views of the same buffer, which can be transferred only once.
  return [...new Set(request.body.map(({ buffer }) => buffer))];
}

function ask(worker: ProductWorker, request: WorkerRequest, onRows: OnRows): Promise<PackedProducts | null> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", (event) => {
      const report = z.parse(WorkerReport, event.data);
      switch (report.kind) {
        case "rows":
          return onRows(report.written, report.of);
        case "done":
          return resolve(report.packed);
        case "foreign_answer":
          return reject(new ForeignAnswerError());
        case "failed":
          return reject(report.error);
      }
    });
    // Its file could not be loaded, or it ran out of memory.
    worker.addEventListener("error", (event) =>
      reject(new Error(`The product worker failed: ${event.message}`)),
    );
    worker.postMessage(request, buffersOf(request));
  });
}

/** Runs the work in a worker: a new one each time, because a sync is rare and needs much memory while it runs. */
export function createWorkerProductWriter(start: () => ProductWorker): ProductWriter {
  const runInNewWorker = async (request: WorkerRequest, onRows: OnRows) => {
    const worker = start();
    try {
      return await ask(worker, request, onRows);
    } finally {
      worker.terminate();
    }
  };
  return {
    async replace(replacement, onRows) {
      const packed = await runInNewWorker({ kind: "replace", ...replacement }, onRows);
      if (packed === null) throw new Error("The product worker wrote no products.");
      return packed;
    },
    pack: (storeId, now) => runInNewWorker({ kind: "pack", storeId, now }, () => undefined),
  };
}
