import type { AuditActorKind } from "@stocktake/contract";
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
