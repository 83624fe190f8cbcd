import type { Transaction } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";

/** Users by id. */
export type UsersOfSession = ReadonlyMap<string, Pick<Caller, "role" | "username">>;

/** Those of the named users who may have scanned in the session: its invited counters and whoever has a password. */
export async function usersOfSession(
  transaction: Transaction,
  sessionId: string,
  userIds: readonly string[],
): Promise<UsersOfSession> {
  if (userIds.length === 0) return new Map();
  const users = await transaction
    .selectFrom("users")
    .leftJoin("invitations", "invitations.id", "users.invitationId")
    .select(["users.id", "users.role", "users.username"])
    .where("users.id", "in", userIds)
    .where((user) =>
      user.or([user("users.invitationId", "is", null), user("invitations.sessionId", "=", sessionId)]),
    )
    .execute();
  return new Map(users.map(({ id, ...user }) => [id, user]));
}
