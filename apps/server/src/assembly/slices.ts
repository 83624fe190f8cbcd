import { adjustmentRoutes } from "../adjustments/routes.ts";
import { areaRoutes } from "../areas/routes.ts";
import { auditRoutes } from "../audit/routes.ts";
import { authRoutes } from "../auth/routes.ts";
import { catalogueRoutes } from "../catalogue/routes.ts";
import { eventRoutes } from "../events/routes.ts";
import { healthRoutes } from "../health/routes.ts";
import { invitationRoutes } from "../invitations/routes.ts";
import { operationRoutes } from "../operations/routes.ts";
import { reportRoutes } from "../reports/routes.ts";
import { scanningRoutes } from "../scanning/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { webhookRoutes } from "../shopify/routes.ts";
import { storeRoutes } from "../stores/routes.ts";
import { userRoutes } from "../users/routes.ts";
import type { SliceRoutes } from "./app.ts";

/** Every slice of the product. */
export const allSlices: readonly SliceRoutes[] = [
  adjustmentRoutes,
  areaRoutes,
  auditRoutes,
  authRoutes,
  catalogueRoutes,
  eventRoutes,
  healthRoutes,
  invitationRoutes,
  operationRoutes,
  reportRoutes,
  scanningRoutes,
  sessionRoutes,
  storeRoutes,
  userRoutes,
  webhookRoutes,
];
