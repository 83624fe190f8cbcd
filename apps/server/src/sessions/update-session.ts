import type { CountingSession } from "@stocktake/contract";
import { actorOf, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { requireAsSeen } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { findSession, lockSession, presentSession } from "./queries.ts";
import type { SessionServices } from "./services.ts";

/** What people call a count, and what they note about it. */
export interface SessionDescription {
  readonly name: string | null;
  readonly note: string | null;
}

type Given = { readonly [Word in keyof SessionDescription]?: string | null | undefined };

/** What a request gives, blank being none; `before` is what stays where it gives nothing. */
export function describedBy({ name, note }: Given, before: SessionDescription): SessionDescription {
  return {
    name: name === undefined ? before.name : name || null,
    note: note === undefined ? before.note : note || null,
  };
}

interface DescriptionEdit extends Given {
  /** What it began with; absent from apps that don't say. */
  readonly seen?: SessionDescription | undefined;
}

/**
 * Gives a session another name or note, at any time: nothing that was counted depends on them.
 * @throws ApiError NOT_FOUND, CHANGED_MEANWHILE.
 */
export async function updateSession(
  { database, events }: SessionServices,
  caller: AdminCaller,
  id: string,
  given: DescriptionEdit,
): Promise<CountingSession> {
  const session = await database.transaction().execute(async (transaction) => {
    const before = await lockSession(transaction, id);
    const { storeName } = await findSession(transaction, caller, id);
    const { name, note } = before;
    const after = describedBy(given, before);
    requireAsSeen("The name or note", { seen: given.seen, before: { name, note }, after });
    await rename(transaction, caller, { ...before, storeName }, after);
    return presentSession(await findSession(transaction, caller, id));
  });
  events.publish({ type: "session", sessionId: id, storeId: session.storeId._id });
  return session;
}

interface Renamed extends SessionDescription {
  readonly id: string;
  readonly storeName: string;
}

async function rename(
  transaction: Transaction,
  caller: AdminCaller,
  before: Renamed,
  after: SessionDescription,
): Promise<void> {
  const { id, name, note } = before;
  if (after.name === name && after.note === note) return;
  await transaction.updateTable("sessions").set(after).where("id", "=", id).execute();
  await recordAudit(transaction, {
    sessionId: id,
    actor: actorOf(caller),
    action: "session.renamed",
    subject: { kind: "session", id, name: before.storeName },
    before: { name, note },
    after: { ...after },
  });
}
