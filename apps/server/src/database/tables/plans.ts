import type { Generated, JSONColumnType } from "kysely";
import type { Created, NullableTime } from "./columns.ts";

/** Somebody whom a plan invites. */
export interface PlannedPersonRow {
  counterName: string;
  email: string;
  /** Absent in a plan from before areas could be assigned by it. */
  areaIds?: string[];
}

export interface SessionPlansTable {
  id: Generated<string>;
  storeId: string;
  name: string | null;
  note: string | null;
  scope: "full" | "partial";
  areaIds: string[] | null;
  people: JSONColumnType<PlannedPersonRow[], string, string>;
  assignmentsEnforced: Generated<boolean>;
  sessionId: string | null;
  createdAt: Created;
  deletedAt: NullableTime;
}

interface SessionLeftOutAreasTable {
  sessionId: string;
  areaId: string;
}

interface WaitingInvitationsTable {
  id: Generated<string>;
  sessionId: string;
  storeId: string;
  counterName: string;
  email: string;
  areaIds: Generated<string[]>;
  origin: string;
  invitedBy: string | null;
  attempts: Generated<number>;
  problem: string | null;
  nextAttemptAt: NullableTime;
  createdAt: Created;
}

export interface PlanTables {
  sessionPlans: SessionPlansTable;
  sessionLeftOutAreas: SessionLeftOutAreasTable;
  waitingInvitations: WaitingInvitationsTable;
}
