import type { FaultRequest, Settings } from "@stocktake/shopify-emulator";
import type { AdjustRequest } from "../../shopify/adjustments.ts";
import type { ShopifyPlatform } from "../../shopify/platform.ts";
import type { Direction } from "../queries.ts";
import type { ProcessOptions, StockRoom } from "./stock-room.ts";

/** Something that goes wrong, and which SKUs may be open in the end, by state. */
export interface FaultCase {
  readonly name: string;
  readonly faults?: readonly FaultRequest[];
  readonly settings?: Partial<Settings>;
  /** What happens in the shop between the request and the work on it. */
  readonly onceRequested?: (room: StockRoom) => Promise<unknown>;
  /** What happens in the shop after send number `send` (from 1), before its answer is looked at. */
  readonly afterSend?: (room: StockRoom, send: number, request: AdjustRequest) => Promise<unknown>;
  /** What happens in the shop right before send number `send`, once its values have been read. */
  readonly beforeSend?: (room: StockRoom, send: number) => Promise<unknown>;
  /** What happens in the shop in the work's first pause. */
  readonly inFirstPause?: (room: StockRoom, request: AdjustRequest) => Promise<unknown>;
  /** Only where the SKU goes alone, or only where it goes together with others. */
  readonly only?: "alone" | "together";
  /** States that the first SKU may end in, in each direction; every other SKU is confirmed. Confirmed unless told. */
  readonly first?: readonly string[] | Readonly<Record<Direction, readonly string[]>>;
  /** Shopify can't move the first SKU any more, so that a rollback of it alone ends without it, as partial. */
  readonly unmovable?: true;
}

/** Makes the fault happen to what comes next. */
export async function provoke({ shop, cutOffHanging }: StockRoom, fault: FaultCase): Promise<void> {
  await shop.changeSettings(fault.settings ?? {});
  await shop.addFaults({ faults: [...(fault.faults ?? [])] });
  const hangs = fault.faults?.some(({ effect }) => effect.kind === "hang") ?? false;
  if (hangs) void cutOffHanging();
}

/** A process with which the fault's disturbances happen. */
export function disturbedBy(
  { onceRequested, beforeSend, afterSend, inFirstPause }: FaultCase,
  room: StockRoom,
): ProcessOptions {
  let send = 0;
  let sent: AdjustRequest | null = null;
  let paused = false;
  const between = (platform: ShopifyPlatform): ShopifyPlatform => ({
    ...platform,
    adjustAvailable: async (request, lastWord) => {
      send += 1;
      sent = request;
      await beforeSend?.(room, send);
      const outcome = await platform.adjustAvailable(request, lastWord);
      await afterSend?.(room, send, request);
      return outcome;
    },
  });
  const whilePausing = async () => {
    if (paused || sent === null) return;
    paused = true;
    await inFirstPause?.(room, sent);
  };
  return { between, whilePausing, onceRequested: async () => onceRequested?.(room) };
}
