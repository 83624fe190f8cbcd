import { actorOf, recordAudit } from "../audit/audit.ts";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { invitationOf } from "./present.ts";
import { hashToken } from "./tokens.ts";

/** Ends the login of a cookie; `caller` is whom it opens to, null where it is over already and nothing is left to be told. */
export async function signOut(database: Database, token: string, caller: Caller | null): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const ended = await transaction
      .deleteFrom("logins")
      .where("tokenHash", "=", hashToken(token))
      .returning("userId")
      .executeTakeFirst();
    if (ended === undefined || caller === null) return;
    await recordAudit(transaction, {
      sessionId: invitationOf(caller)?.sessionId ?? null,
      actor: actorOf(caller),
      action: "login.ended",
      subject: { kind: "account", id: caller.userId, name: caller.username },
      before: null,
      after: null,
    });
  });
}
