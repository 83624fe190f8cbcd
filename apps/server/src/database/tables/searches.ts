import type { Generated } from "kysely";
import type { Created, NullableTime } from "./columns.ts";

type Answer = "found" | "not_there";

/** For an invitation or an account, one of the two, or for anybody. */
interface SearchListsTable {
  sessionId: string;
  number: number;
  areaId: string | null;
  invitationId: string | null;
  userId: string | null;
  createdBy: string;
  createdAt: Created;
  withdrawnBy: string | null;
  withdrawnAt: NullableTime;
}

interface SearchItemsTable {
  sessionId: string;
  number: number;
  sku: string;
  place: number;
}

interface SearchAnswersTable {
  sessionId: string;
  sku: string;
  answeredBy: string;
  answer: Answer;
  number: number;
  deviceId: string;
  answeredAt: Generated<Date>;
  given: Generated<number>;
  answerOrder: number | null;
  /** When they had looked, where the device has said so. */
  lookedAt: NullableTime;
}

interface SearchDecisionsTable {
  sessionId: string;
  sku: string;
  answer: Answer;
  decidedBy: string;
  decidedAt: Created;
}

export interface SearchTables {
  searchLists: SearchListsTable;
  searchItems: SearchItemsTable;
  searchAnswers: SearchAnswersTable;
  searchDecisions: SearchDecisionsTable;
}
