import { readShop, type ShopReading } from "../catalogue/catalogue.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { OperationJob } from "../operations/operations.ts";
import type { SessionServices } from "./services.ts";

type Services = Pick<SessionServices, "platform" | "clock">;

/**
 * Reads the shop with the stock at a Shopify location, reporting as it goes. Throws a platform error, and PLATFORM_ERROR
 * for a location that the shop has closed: its stock would read as zero.
 */
export async function readStockAt(
  services: Services,
  shopifyLocationId: string,
  job: OperationJob,
): Promise<ShopReading> {
  const locations = await services.platform.shopifyLocations(job.signal);
  if (!locations.some(({ id }) => id === shopifyLocationId)) throw locationClosed();
  return readShop(services, {
    shopifyLocationId,
    signal: job.signal,
    report: (done, of) => job.report(done, of),
  });
}

function locationClosed(): ApiError {
  return new ApiError(
    "PLATFORM_ERROR",
    "Shopify no longer has this store's location, or it is not active there. Nothing was changed. " +
      "Activate the location in Shopify and try again.",
  );
}
