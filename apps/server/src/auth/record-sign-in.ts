import { actorOf, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { recordNotice } from "../notices/notices.ts";
import { type DeviceMark, markFor } from "./device-mark.ts";
import type { OpenedLogin } from "./login-queries.ts";

/** Where somebody signed in from. */
interface Origin {
  readonly ip: string;
  readonly deviceMark: DeviceMark | null;
}

/**
 * Records in the transaction of a login that was made by a password that it was, and tells the administrator of a new browser.
 * Counters share a shop's devices: for them a browser is new when nobody has signed in there. Call it when everything else is
 * locked: it records in the audit log.
 */
export async function recordSignIn(
  transaction: Transaction,
  { caller, ended }: OpenedLogin,
  { ip: address, deviceMark }: Origin,
): Promise<void> {
  const { userId, username, role } = caller;
  const knownBrowser = markFor(deviceMark, userId) !== null;
  const isNew = role === "admin" ? !knownBrowser : deviceMark === null;
  if (isNew) await recordNotice(transaction, { kind: "new_browser", facts: { username, role, address } });
  await recordAudit(transaction, {
    sessionId: null,
    actor: actorOf(caller),
    action: "login.opened",
    subject: { kind: "account", id: userId, name: username },
    before: null,
    after: { knownBrowser, address },
  });
  await recordEnded(transaction, { caller, ended });
}

/** Records which logins of accounts with a password a new one has ended: the oldest of too many, or the one that its browser held. */
export async function recordEnded(
  transaction: Transaction,
  { caller, ended }: Pick<OpenedLogin, "caller" | "ended">,
): Promise<void> {
  for (const { userId, username, why, browsers } of ended.filter(({ isTemporary }) => !isTemporary)) {
    await recordAudit(transaction, {
      sessionId: null,
      actor: actorOf(caller),
      action: "logins.ended",
      subject: { kind: "account", id: userId, name: username },
      before: { browsers: browsers.map((browser) => browser ?? "unknown") },
      after: { why },
    });
  }
}
