import { startEmulator } from "@stocktake/shopify-emulator";
import { shopOf } from "../report/at-scale.ts";
import { ShopOrders } from "./messages.ts";

/**
 * A process of its own that stands in for the shop until whoever started it is gone, and says where: what it works for the starts and the
 * ends of sessions then holds up nobody who measures.
 */

process.once("message", async (message) => {
  const { variants } = ShopOrders.parse(message);
  // A shop that has lain still: what an end reads again is what changed lately.
  const stockedAt = Date.now() - 24 * 60 * 60_000;
  const emulator = await startEmulator({ catalogue: shopOf(variants, { stocksBoth: true }), stockedAt });
  process.once("disconnect", () => void emulator.close());
  process.send?.(emulator.url);
});
