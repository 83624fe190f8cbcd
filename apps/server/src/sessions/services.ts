import type { FastifyBaseLogger } from "fastify";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { InvitationServices } from "../invitations/invitations.ts";
import type { SharedClock } from "../kernel/clock.ts";
import type { OperationRunner } from "../operations/operations.ts";
import type { ShopifyPlatform, ShopTime } from "../shopify/shopify.ts";

/** What sessions work with. */
export interface SessionServices extends InvitationServices {
  readonly platform: ShopifyPlatform;
  readonly catalogue: Catalogue;
  readonly operations: OperationRunner;
  readonly clock: SharedClock;
  readonly shopTime: ShopTime;
  readonly logger: FastifyBaseLogger;
}
