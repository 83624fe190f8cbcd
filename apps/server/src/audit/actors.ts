import type { AuditActorKind } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";

/** Who acted, by the name that they had then. */
export interface AuditActor {
  readonly kind: AuditActorKind;
  readonly id: string | null;
  readonly name: string;
}

/** The server itself. */
export const serverActor: AuditActor = { kind: "system", id: null, name: "Server" };

/** Whoever has the server's shell. */
export const shellActor: AuditActor = { kind: "system", id: null, name: "Command line" };

export function actorOf({ role, userId, username }: Caller): AuditActor {
  return { kind: role, id: userId, name: username };
}

/** The user who asked for work that the server did later; the server itself where nobody did. */
export async function actorNamed(database: Database, userId: string | null): Promise<AuditActor> {
  if (userId === null) return serverActor;
  const { role, username } = await database
    .selectFrom("users")
    .select(["role", "username"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return { kind: role, id: userId, name: username };
}
