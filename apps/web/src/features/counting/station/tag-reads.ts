import { readTag } from "@stocktake/contract";
import {
  isCountedHere,
  isOfNoCount,
  type OutboxEvent,
  type PendingScan,
  readSession,
} from "../../../offline/offline.ts";
import type { StationCore } from "./station-core.ts";

/**
 * What this device has on a tag: nothing, that it was read in the area's pass, that this read was set aside because the item counts
 * in another area, or the code of the area where it counts.
 */
export type KnownTag =
  | { readonly kind: "new" }
  | { readonly kind: "here" }
  | { readonly kind: "set_aside" }
  | { readonly kind: "elsewhere"; readonly areaCode: string };

/** The tags that this device has read in the session (docs/SYNC.md, S44). */
export interface TagReads {
  readonly find: (tag: string) => Promise<KnownTag>;
  readonly add: (scan: PendingScan) => void;
  /** Follows what becomes of reads, here and in other tabs; ends with the returned function. */
  readonly start: () => () => void;
}

class KnownReads {
  readonly #byTag = new Map<string, Map<number, PendingScan>>();
  readonly #tagOf = new Map<number, string>();
  /** The newest pass of each area that this device has scanned in: what it read in an earlier one was counted again since. */
  readonly #lastPasses = new Map<string, number>();

  put(scan: PendingScan): void {
    if (!isOfNoCount(scan))
      this.#lastPasses.set(scan.areaId, Math.max(scan.pass, this.#lastPasses.get(scan.areaId) ?? 0));
    // What the server has refused is no read of the tag: read again, it is stored anew.
    const isOut = scan.undone || scan.refusal !== null;
    if (isOut) this.remove(scan.id);
    const tag = scan.inputType === "barcode" && !isOut ? readTag(scan.input)?.key : undefined;
    if (tag === undefined) return;
    const reads = this.#byTag.get(tag) ?? new Map<number, PendingScan>();
    reads.set(scan.id, scan);
    this.#byTag.set(tag, reads);
    this.#tagOf.set(scan.id, tag);
  }

  putAll(scans: readonly PendingScan[]): void {
    for (const scan of scans) this.put(scan);
  }

  remove(id: number | null): void {
    const tag = id === null ? undefined : this.#tagOf.get(id);
    if (id !== null && tag !== undefined) this.#byTag.get(tag)?.delete(id);
  }

  find(tag: string, areaId: string, pass: number): KnownTag {
    const reads = [...(this.#byTag.get(tag)?.values() ?? [])];
    const here = reads.filter((read) => read.areaId === areaId && read.pass === pass);
    if (here.length > 0) return { kind: here.every(isSetAsideHere) ? "set_aside" : "here" };
    const counting = reads.find(
      (read) =>
        read.areaId !== areaId && read.pass === this.#lastPasses.get(read.areaId) && isCountedHere(read),
    );
    return counting === undefined ? { kind: "new" } : { kind: "elsewhere", areaCode: counting.areaCode };
  }
}

/** By the server's word, else by this device's: only an item that counts elsewhere is set aside as a product. */
function isSetAsideHere({ acknowledgement, localOutcome, sku }: PendingScan): boolean {
  if (acknowledgement !== null) return acknowledgement.tag === "TAG_ELSEWHERE";
  return localOutcome === "unresolved" && sku !== null;
}

/** Reads the device's rows when the first tag is read: who counts barcodes never waits for it. */
export function createTagReads({ device, area, state }: StationCore): TagReads {
  let known: Promise<KnownReads> | null = null;

  async function load(): Promise<KnownReads> {
    const reads = new KnownReads();
    reads.putAll(await readSession(device.database, area.sessionId));
    return reads;
  }

  function loaded(): Promise<KnownReads> {
    known ??= load().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  }

  function change(apply: (reads: KnownReads) => void): void {
    // What was not read yet is read with the change in it; a failure is told to whoever asks.
    known?.then(apply, () => {});
  }

  function handle(event: OutboxEvent): void {
    if (event.type === "scan_added") change((reads) => reads.put(event.scan));
    if (event.type === "scans_settled") change((reads) => reads.putAll(event.scans));
    if (event.type === "operation_added" && event.operation.kind === "undo") {
      const { targetId } = event.operation;
      change((reads) => reads.remove(targetId));
    }
    // A reset may have moved rows to another pass, and a refused undo brings its scan back.
    if (
      event.type === "operation_settled" &&
      (event.operation.kind === "reset" || event.operation.refusal !== null)
    )
      known = null;
  }

  return {
    find: async (tag) => (await loaded()).find(tag, area.areaId, state().pass),
    add: (scan) => change((reads) => reads.put(scan)),
    start: () => device.bus.subscribe(handle),
  };
}
