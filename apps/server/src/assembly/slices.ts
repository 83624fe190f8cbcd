import { adjustmentRoutes } from "../adjustments/adjustments.ts";
import { areaRoutes } from "../areas/areas.ts";
import { auditRoutes } from "../audit/audit.ts";
import { authRoutes } from "../auth/auth.ts";
import { catalogueRoutes, webhookRoutes } from "../catalogue/catalogue.ts";
import { certificateRoutes } from "../certificates/certificates.ts";
import { countAgainRoutes } from "../count-again/count-again.ts";
import { diagnosisRoutes } from "../diagnosis/diagnosis.ts";
import { eventRoutes } from "../events/events.ts";
import { healthRoutes } from "../health/health.ts";
import { invitationRoutes } from "../invitations/invitations.ts";
import { metricsRoutes } from "../metrics/metrics.ts";
import { noticeRoutes } from "../notices/notices.ts";
import { operationRoutes } from "../operations/operations.ts";
import { paperRoutes } from "../paper/paper.ts";
import { reportRoutes } from "../reports/reports.ts";
import { scanningRoutes } from "../scanning/scanning.ts";
import { searchRoutes } from "../searches/searches.ts";
import { sessionRoutes } from "../sessions/sessions.ts";
import { storeRoutes } from "../stores/stores.ts";
import { userRoutes } from "../users/users.ts";
import type { SliceRoutes } from "./app.ts";

/** Every slice of the product. */
export const allSlices: readonly SliceRoutes[] = [
  adjustmentRoutes,
  areaRoutes,
  auditRoutes,
  authRoutes,
  catalogueRoutes,
  certificateRoutes,
  countAgainRoutes,
  diagnosisRoutes,
  eventRoutes,
  healthRoutes,
  invitationRoutes,
  metricsRoutes,
  noticeRoutes,
  operationRoutes,
  paperRoutes,
  reportRoutes,
  scanningRoutes,
  searchRoutes,
  sessionRoutes,
  storeRoutes,
  userRoutes,
  webhookRoutes,
];
