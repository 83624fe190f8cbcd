import type { Login } from "@stocktake/contract";
import { actorOf, recordAudit } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { invitationOf } from "../present.ts";

/**
 * A temporary counter's logins are those of everybody who has the link: none of them is to see the others' devices, or to
 * end their logins.
 */
function refuseTemporary(caller: Caller): void {
  if (invitationOf(caller) === null) return;
  throw new ApiError(
    "FORBIDDEN",
    "A login by an invitation is ended by the administrator, with the invitation.",
  );
}

const shown = ["tokenHash", "id", "browser", "createdAt", "lastSeenAt", "expiresAt"] as const;

interface LoginRow {
  readonly tokenHash: Buffer;
  readonly id: string;
  readonly browser: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date | null;
  readonly expiresAt: Date | null;
}

/** The caller's logins that open something: this one first, the others by their last use. */
export async function listOwnLogins(database: Database, caller: Caller): Promise<Login[]> {
  refuseTemporary(caller);
  const rows = await ownLogins(database, caller).select(shown).execute();
  const logins = rows.map((row) => presentLogin(row, caller));
  return logins.sort(
    (left, right) =>
      Number(right.isThisOne) - Number(left.isThisOne) || right.lastSeenAt.localeCompare(left.lastSeenAt),
  );
}

function ownLogins(database: Database, { userId }: Caller) {
  return database
    .selectFrom("logins")
    .where("userId", "=", userId)
    .where("replacedAt", "is", null)
    .where(({ eb, fn }) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", fn<Date>("now"))]));
}

function presentLogin(row: LoginRow, { loginHash }: Caller): Login {
  const { id, browser, createdAt, lastSeenAt, expiresAt } = row;
  return {
    _id: id,
    browser,
    signedInAt: createdAt.toISOString(),
    lastSeenAt: (lastSeenAt ?? createdAt).toISOString(),
    endsAt: expiresAt?.toISOString() ?? null,
    isThisOne: row.tokenHash.equals(loginHash),
  };
}

/** Ends one of the caller's logins. @throws ApiError NOT_FOUND for one that is over or another's. */
export async function endOwnLogin(database: Database, caller: Caller, id: string): Promise<void> {
  refuseTemporary(caller);
  await database.transaction().execute(async (transaction) => {
    const ended = await transaction
      .deleteFrom("logins")
      .where("userId", "=", caller.userId)
      .where("id", "=", id)
      .where("replacedAt", "is", null)
      .returning("browser")
      .execute();
    if (ended.length === 0) throw notFound("The login");
    await recordEnd(transaction, caller, ended);
  });
}

/** Ends all of the caller's logins but the one that asks. Returns how many there were. */
export async function endOtherLogins(database: Database, caller: Caller): Promise<number> {
  refuseTemporary(caller);
  return database.transaction().execute(async (transaction) => {
    const ended = await transaction
      .deleteFrom("logins")
      .where("userId", "=", caller.userId)
      .where("tokenHash", "!=", caller.loginHash)
      .where("replacedAt", "is", null)
      .returning("browser")
      .execute();
    if (ended.length > 0) await recordEnd(transaction, caller, ended);
    return ended.length;
  });
}

async function recordEnd(
  transaction: Transaction,
  caller: Caller,
  ended: readonly { readonly browser: string | null }[],
): Promise<void> {
  await recordAudit(transaction, {
    sessionId: null,
    actor: actorOf(caller),
    action: "logins.ended",
    subject: { kind: "account", id: caller.userId, name: caller.username },
    before: { browsers: ended.map(({ browser }) => browser ?? "unknown") },
    after: null,
  });
}
