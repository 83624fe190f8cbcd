import type { AuditAction, AuditEntry } from "@stocktake/contract";
import { countText, quantityText, signedText } from "../../ui/formats.ts";
import { listOf, numberOf, textOf } from "./facts.ts";

type Teller = (entry: AuditEntry) => string;

const after = (entry: AuditEntry, name: string) => textOf(entry.after, name);
const before = (entry: AuditEntry, name: string) => textOf(entry.before, name);
const name = (entry: AuditEntry) => entry.subject.name;
const skus = (count: number) => countText(count, "SKU", "SKUs");
const voided = (entry: AuditEntry) =>
  `; ${countText(numberOf(entry.after, "voidedScans"), "scan was", "scans were")} voided`;

function finished(entry: AuditEntry): string {
  const declared = quantityText(numberOf(entry.after, "declaredTotal"));
  if (entry.after?.matched === true) return `closed the area ${name(entry)} with ${declared}`;
  const counted = quantityText(numberOf(entry.after, "serverTotal"));
  return `declared ${declared} for the area ${name(entry)} where ${counted} had been scanned; it is counted again`;
}

function adjusted(entry: AuditEntry): string {
  const change = `from ${before(entry, "count")} to ${after(entry, "count")}`;
  const reason = entry.after?.reason;
  return `changed the count of ${name(entry)} ${change}${typeof reason === "string" ? `: ${reason}` : ""}`;
}

function ended(entry: AuditEntry): string {
  const open = listOf(entry.after, "openAreas").length;
  const left = open === 0 ? "" : `; ${countText(open, "area was", "areas were")} left open`;
  return `ended the count of ${name(entry)}${left}`;
}

function requested(move: string, entry: AuditEntry): string {
  const units = signedText(numberOf(entry.after, "units"));
  return `asked for the ${move} of ${name(entry)}: ${skus(numberOf(entry.after, "items"))}, ${units} units net`;
}

function concluded(move: string, entry: AuditEntry): string {
  const confirmed = `${skus(numberOf(entry.after, "confirmed"))} moved by ${signedText(numberOf(entry.after, "confirmedUnits"))} units net`;
  const unclear = numberOf(entry.after, "unclear");
  const notMoved = numberOf(entry.after, "notMoved");
  const rest = [
    ...(unclear === 0 ? [] : [`${quantityText(unclear)} unclear`]),
    ...(notMoved === 0 ? [] : [`${quantityText(notMoved)} not moved`]),
  ];
  return `concluded the ${move} of ${name(entry)} as ${after(entry, "status")}: ${[confirmed, ...rest].join(", ")}`;
}

/** What the actor did, to be read after the actor's name. */
const tellers: Record<AuditAction, Teller> = {
  "store.created": (entry) => `created the store ${name(entry)}`,
  "store.changed": (entry) => `changed the store ${name(entry)}`,
  "store.deleted": (entry) => `deleted the store ${name(entry)}`,
  "location.created": (entry) => `created the location ${name(entry)} in ${after(entry, "store")}`,
  "location.renamed": (entry) => `renamed the location ${name(entry)} to ${after(entry, "name")}`,
  "location.deleted": (entry) =>
    `deleted the location ${name(entry)} with ${countText(listOf(entry.before, "areas").length, "area", "areas")}`,
  "areas.created": (entry) =>
    `added ${countText(listOf(entry.after, "areas").length, "area", "areas")} to ${name(entry)}`,
  "area.deleted": (entry) => `deleted the area ${name(entry)}`,
  "session.started": (entry) => `started a ${after(entry, "scope")} count of ${name(entry)}`,
  "session.ended": ended,
  "area.finished": finished,
  "area.reset": (entry) => `started the area ${name(entry)} again from zero${voided(entry)}`,
  "area.reopened": (entry) => `reopened the area ${name(entry)}${voided(entry)}`,
  "area.restored": (entry) => `brought pass ${after(entry, "restoredPass")} of the area ${name(entry)} back`,
  "invitation.created": (entry) => `invited ${name(entry)}, ${after(entry, "email")}`,
  "invitation.revoked": (entry) => `revoked the invitation of ${name(entry)}`,
  "invitation.accepted": () => "accepted the invitation",
  "account.created": (entry) => `created the account ${name(entry)}`,
  "account.changed": (entry) =>
    `changed the account ${name(entry)}${entry.after?.passwordChanged === true ? " and its password" : ""}`,
  "account.deleted": (entry) => `deleted the account ${name(entry)}`,
  "admin_password.changed": () => "changed the administrator's password",
  "count.adjusted": adjusted,
  "exception.accepted": (entry) =>
    `accepted the scan ${name(entry)} as ${after(entry, "sku")} in ${after(entry, "area")}`,
  "exception.dismissed": (entry) => `dismissed the scan ${name(entry)}`,
  "basis.chosen": (entry) =>
    entry.after?.basis === "count"
      ? "chose to deploy the variance at the time of counting"
      : "chose to deploy the variance at the end of the count",
  "deploy.requested": (entry) => requested("deploy", entry),
  "deploy.resumed": (entry) =>
    `resumed the deploy of ${name(entry)}: ${skus(numberOf(entry.after, "resumed"))} once more`,
  "deploy.concluded": (entry) => concluded("deploy", entry),
  "deploy.rows_left": (entry) =>
    `left what the deploy of ${name(entry)} had not moved: ${skus(numberOf(entry.after, "notMoved"))}`,
  "rollback.requested": (entry) => requested("rollback", entry),
  "rollback.concluded": (entry) => concluded("rollback", entry),
  "row.settled": (entry) =>
    `said that the stock of ${name(entry)} ${entry.after?.state === "confirmed" ? "was moved" : "was not moved"}`,
};

function isKnown(action: string): action is AuditAction {
  return Object.hasOwn(tellers, action);
}

/** The entry in one sentence: "admin changed the count of Tee (TEE-S) from 4 to 6: recount". */
export function sentenceOf(entry: AuditEntry): string {
  // An action that nobody knows was written by hand: it is shown as it stands.
  const told = isKnown(entry.action) ? tellers[entry.action](entry) : `${entry.action} ${name(entry)}`;
  return `${entry.actor.name} ${told}`;
}
