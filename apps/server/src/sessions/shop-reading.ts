import { readShop, type ShopReading } from "../catalogue/catalogue.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { OperationJob } from "../operations/operations.ts";
import type { SessionServices } from "./services.ts";

type Services = Pick<SessionServices, "platform" | "clock">;

/** Whether the shop has the location and it is active there. Throws a platform error. */
export async function hasLocation(
  { platform }: Pick<Services, "platform">,
  shopifyLocationId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const locations = await platform.shopifyLocations(signal);
  return locations.some(({ id }) => id === shopifyLocationId);
}

/**
 * Throws PLATFORM_ERROR for a location that the shop has closed: its stock reads as zero. It may be closed while it is read, so
 * that whoever keeps what was read asks before the reading and after it. Throws a platform error.
 * @param whatNext says then what is safe, and what to do
 */
export async function requireLocation(
  services: Pick<Services, "platform">,
  shopifyLocationId: string,
  signal: AbortSignal,
  whatNext: string,
): Promise<void> {
  if (await hasLocation(services, shopifyLocationId, signal)) return;
  throw new ApiError(
    "PLATFORM_ERROR",
    `Shopify no longer has this store's location, or it is not active there. ${whatNext}`,
  );
}

/**
 * Reads the shop with the stock at a Shopify location, which the shop had when the reading began, reporting as it goes. Throws a
 * platform error, and what `requireLocation` throws.
 */
export async function readStockAt(
  services: Services,
  shopifyLocationId: string,
  job: OperationJob,
  whatNext: string,
): Promise<ShopReading> {
  await requireLocation(services, shopifyLocationId, job.signal, whatNext);
  return readShop(services, {
    shopifyLocationId,
    signal: job.signal,
    report: (done, of) => job.report(done, of),
  });
}
