import type { CallDefinition } from "../call.ts";
import * as adjustments from "./adjustments.ts";
import * as areas from "./areas.ts";
import * as audit from "./audit.ts";
import * as auth from "./auth.ts";
import * as catalogue from "./catalogue.ts";
import * as beyondTolerance from "./certificates/beyond-tolerance.ts";
import * as certificates from "./certificates/certificates.ts";
import * as coverage from "./certificates/coverage.ts";
import * as devices from "./devices.ts";
import * as diagnosis from "./diagnosis.ts";
import * as exceptions from "./exceptions.ts";
import * as explanation from "./explanation.ts";
import * as invitations from "./invitations.ts";
import * as logins from "./logins.ts";
import * as notices from "./notices.ts";
import * as operations from "./operations.ts";
import * as packs from "./packs.ts";
import * as countRows from "./paper/count-rows.ts";
import * as sheets from "./paper/sheets.ts";
import * as assignments from "./planning/assignments.ts";
import * as sessionPlans from "./planning/session-plans.ts";
import * as release from "./release.ts";
import * as reports from "./reports.ts";
import * as rollbacks from "./rollbacks.ts";
import * as scanning from "./scanning.ts";
import * as neverCounted from "./searches/never-counted.ts";
import * as searchLists from "./searches/search-lists.ts";
import * as searching from "./searches/searching.ts";
import * as countAgain from "./second-counts/count-again.ts";
import * as samples from "./second-counts/samples.ts";
import * as secondCounts from "./second-counts/second-counts.ts";
import * as tolerances from "./second-counts/tolerances.ts";
import * as secondFactor from "./second-factor.ts";
import * as sessionCodes from "./session-codes.ts";
import * as sessions from "./sessions.ts";
import * as stores from "./stores.ts";
import * as system from "./system.ts";

function isCall(member: unknown): member is CallDefinition {
  return typeof member === "object" && member !== null && "path" in member && "access" in member;
}

/** Every call of the product. The server must serve each and the authorisation tests walk them all. */
export const allCalls: readonly CallDefinition[] = [
  adjustments,
  areas,
  assignments,
  audit,
  auth,
  beyondTolerance,
  catalogue,
  certificates,
  countAgain,
  countRows,
  coverage,
  devices,
  diagnosis,
  exceptions,
  explanation,
  invitations,
  logins,
  neverCounted,
  notices,
  operations,
  packs,
  release,
  reports,
  rollbacks,
  samples,
  scanning,
  searching,
  searchLists,
  secondCounts,
  secondFactor,
  sessionCodes,
  sessionPlans,
  sessions,
  sheets,
  stores,
  system,
  tolerances,
].flatMap((module) => Object.values(module).filter(isCall));
