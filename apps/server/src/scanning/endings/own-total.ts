import { actorOf, areaSubject, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { invalidField } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { declareOwnTotal } from "../../passes/passes.ts";
import type { LockedArea } from "../area-queries.ts";
import { usersOfSession } from "../user-queries.ts";

interface OwnRequest {
  readonly person: string;
  readonly declaredTotal: number;
  readonly deviceId: string;
}

/** Keeps what a person counted alone. Throws VALIDATION for a person who is not of the session. */
export async function declareOwn(
  transaction: Transaction,
  caller: Caller,
  area: LockedArea,
  { person, declaredTotal, deviceId }: OwnRequest,
) {
  const { sessionId, areaId, pass } = area;
  if (person !== caller.userId && !(await usersOfSession(transaction, sessionId, [person])).has(person)) {
    throw invalidField("declaredById", "declaredById must name a user of this session.");
  }
  const declared = await declareOwnTotal(transaction, area, { person, total: declaredTotal, deviceId });
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action: "area.total_declared",
    subject: await areaSubject(transaction, areaId),
    before: null,
    after: { pass, declaredTotal, deviceId, countedBy: person, waitingFor: [...declared.missing] },
  });
  return declared;
}
