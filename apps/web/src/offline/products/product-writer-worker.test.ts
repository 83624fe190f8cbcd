import { describe, expect, it, vi } from "vitest";
import { packedLines, packProducts, productLine } from "./packed-products.ts";
import type { WorkerReport, WorkerRequest } from "./product-worker-messages.ts";
import { ForeignAnswerError } from "./product-writer.ts";
import { createWorkerProductWriter } from "./product-writer-worker.ts";

const tee = { sku: "TEE-1", barcode: null, productTitle: "Tee", size: null, image: null, storeId: "s1" };

/** The page's side of a worker with scripted reports. */
function workerReporting(...reports: WorkerReport[]) {
  const events = new EventTarget();
  const terminate = vi.fn();
  const postMessage = vi.fn((_request: WorkerRequest, _transfer: unknown) => {
    for (const data of reports) events.dispatchEvent(new MessageEvent("message", { data }));
  });
  const worker = { addEventListener: events.addEventListener.bind(events), postMessage, terminate };
  return { events, worker, postMessage, terminate };
}

const replacement = () => ({
  storeId: "s1",
  body: [new Uint8Array([123]), new Uint8Array([125])],
  isComplete: false,
  now: "now",
});
const ignored = () => undefined;

describe("the worker that writes products", () => {
  it("receives the response's bytes, reports progress, and ends with the packed copy", async () => {
    const packed = packProducts([tee], '"1"');
    const { worker, postMessage, terminate } = workerReporting(
      { kind: "rows", written: 500, of: 501 },
      { kind: "done", packed },
    );
    const onRows = vi.fn();
    const given = replacement();
    const written = await createWorkerProductWriter(() => worker).replace(given, onRows);
    expect(postMessage).toHaveBeenCalledWith(
      { kind: "replace", ...given },
      given.body.map(({ buffer }) => buffer),
    );
    expect(onRows).toHaveBeenCalledWith(500, 501);
    expect(packedLines(written)).toEqual([productLine(tee)]);
    expect(terminate).toHaveBeenCalledTimes(1);
  });

  it("packs the stored rows, if they are complete", async () => {
    const { worker } = workerReporting({ kind: "done", packed: null });
    expect(await createWorkerProductWriter(() => worker).pack("s1", "now")).toBeNull();
  });

  it("reports when the response was not the server's", async () => {
    const { worker, terminate } = workerReporting({ kind: "foreign_answer" });
    const writing = createWorkerProductWriter(() => worker).replace(replacement(), ignored);
    await expect(writing).rejects.toThrow(ForeignAnswerError);
    expect(terminate).toHaveBeenCalledTimes(1);
  });

  it("passes on the storage's own error", async () => {
    const full = new DOMException("The disk is full.", "QuotaExceededError");
    const { worker } = workerReporting({ kind: "failed", error: full });
    await expect(createWorkerProductWriter(() => worker).pack("s1", "now")).rejects.toBe(full);
  });

  it("fails where its file cannot be loaded", async () => {
    const { events, worker, terminate } = workerReporting();
    const packing = createWorkerProductWriter(() => worker).pack("s1", "now");
    events.dispatchEvent(new ErrorEvent("error", { message: "gone" }));
    await expect(packing).rejects.toThrow("The product worker failed: gone");
    expect(terminate).toHaveBeenCalledTimes(1);
  });
});
