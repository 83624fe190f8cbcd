import type { Transaction } from "../../database/pool.ts";
import { invalidField } from "../../kernel/api-error.ts";
import type { Caller, Person } from "../../kernel/caller.ts";
import { usersOfSession } from "../user-queries.ts";

/** Who made what a login sends, which need not be theirs. */
export interface Maker extends Person {
  readonly username: string;
}

interface MadeIn {
  readonly sessionId: string;
  /** Whom the call names; absent from devices of earlier releases. */
  readonly madeById?: string | undefined;
}

/**
 * Who made a reset or a finish: it may wait for a network on a device that somebody else signs in on, and is judged by whoever meant it. A
 * counter's login can't lend itself what only the administrator may, so that what names the administrator is the sender's own.
 * Throws VALIDATION for a person who is not of the session.
 */
export async function makerOf(
  transaction: Transaction,
  caller: Caller,
  { sessionId, madeById }: MadeIn,
): Promise<Maker> {
  if (madeById === undefined || madeById === caller.userId) return caller;
  const named = (await usersOfSession(transaction, sessionId, [madeById])).get(madeById);
  if (named === undefined) throw invalidField("madeById", "madeById must name a user of this session.");
  return named.role === "admin" ? caller : { ...named, userId: madeById };
}

/** Of an entry of the audit log, whose actor is who sent it: who made it, where that is somebody else. */
export function madeBy(caller: Caller, { userId, username }: Maker): { readonly madeBy?: string } {
  return userId === caller.userId ? {} : { madeBy: username };
}
