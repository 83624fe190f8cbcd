import * as z from "zod/mini";

/** What the phones' process is told. It scans until the next message. */
export const PhonesOrders = z.object({
  url: z.string(),
  /** The counter's login. */
  cookie: z.string(),
  floor: z.object({ sessionId: z.string(), storeId: z.string(), locationId: z.string() }),
  areas: z.array(z.string()),
  barcodes: z.array(z.string()),
  pace: z.object({ phones: z.number(), everyMs: z.number() }),
});
export type PhonesOrders = z.infer<typeof PhonesOrders>;

/** What it answers with. */
export const PhonesSaw = z.object({
  /** When each scan was sent, in milliseconds since the epoch, and what it took. */
  scans: z.array(z.object({ sentAt: z.number(), milliseconds: z.number() })),
  /** How late the phones' own event loop was, in milliseconds. */
  late: z.object({ p50: z.number(), p99: z.number(), most: z.number() }),
});
export type PhonesSaw = z.infer<typeof PhonesSaw>;

/** What the shop's process is told. It answers with its address. */
export const ShopOrders = z.object({ variants: z.number() });
export type ShopOrders = z.infer<typeof ShopOrders>;
