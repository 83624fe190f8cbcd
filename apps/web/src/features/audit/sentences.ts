import type { AuditAction, AuditEntry } from "@stocktake/contract";
import { countText, deviceText, quantityText, signedText } from "../../ui/formats.ts";
import { after, before, type Facts, listOf, name, nameAndMaker, numberOf, textOf } from "./facts.ts";

type Describe = (entry: AuditEntry) => string;

/** Actions of the server itself; the person who requested them has an entry of their own. */
type WorkAction = "deploy.concluded" | "rollback.concluded";

const skus = (count: number) => countText(count, "SKU", "SKUs");
const voided = (entry: AuditEntry) =>
  `; ${countText(numberOf(entry.after, "voidedScans"), "scan was", "scans were")} voided`;
const undecided = (count: number) =>
  count === 0
    ? ""
    : `; ${countText(count, "uncertain count is", "uncertain counts are")} to be decided on again`;

function finished(entry: AuditEntry): string {
  const declared = countText(numberOf(entry.after, "declaredTotal"), "item", "items");
  if (entry.after?.matched === true) return `closed area ${nameAndMaker(entry)} with ${declared}`;
  const counted = quantityText(numberOf(entry.after, "serverTotal"));
  return `declared ${declared} for area ${nameAndMaker(entry)}, but ${counted} had been scanned; it must be recounted`;
}

function ownTotal(entry: AuditEntry): string {
  const declared = countText(numberOf(entry.after, "declaredTotal"), "item", "items");
  const missing = listOf(entry.after, "waitingFor");
  const waits = missing.length === 0 ? "" : `; still to come: ${missing.join(", ")}`;
  return `declared ${declared} as their own total of area ${name(entry)}${waits}`;
}

function chosen(entry: AuditEntry): string {
  const choice = after(entry, "choice");
  return choice === "first" && entry.before?.firstReplaced === true
    ? "what counted by then"
    : `the ${choice} count`;
}

function because(entry: AuditEntry): string {
  const reason = entry.after?.reason;
  return typeof reason === "string" ? `: ${reason}` : "";
}

/** The SKUs that a second count is of, and that they are beyond tolerance; of a whole area how many are. */
function ofSkus(entry: AuditEntry): string {
  const some = listOf(entry.after, "onlySkus").length;
  const beyond = numberOf(entry.after, "beyondTolerance");
  if (some > 0) return `, of ${countText(some, "SKU", "SKUs")}${beyond === 0 ? "" : " beyond tolerance"}`;
  return beyond === 0 ? "" : `: ${countText(beyond, "SKU is", "SKUs are")} beyond tolerance`;
}

const saidText = (entry: AuditEntry) =>
  entry.after?.answer === "found" ? "found" : "looked for and did not find";

const statedText: Readonly<Record<string, string>> = {
  empty: "is empty",
  void: "is not counted",
  without_second_count: "does without a second count",
};

function adjusted(entry: AuditEntry): string {
  const change = `from ${before(entry, "count")} to ${after(entry, "count")}`;
  return `changed the count of ${name(entry)} ${change}${because(entry)}`;
}

/** By their owner; or by a login that is new, as there were too many or its browser held another. */
function loginsEnded(entry: AuditEntry): string {
  const count = listOf(entry.before, "browsers").length;
  if (entry.after?.why === "replaced")
    return `ended the login of ${name(entry)} that the same browser held, by signing in`;
  if (entry.after?.why === "signed_in_elsewhere")
    return `ended ${countText(count, "login", "logins")} of ${name(entry)}, the oldest of too many, by signing in`;
  return `ended ${countText(count, "own login", "own logins")}`;
}

function assigned(entry: AuditEntry): string {
  const people = listOf(entry.after, "people");
  const changed = entry.before?.enforced !== entry.after?.enforced;
  const rule =
    entry.after?.enforced === true ? "only who is assigned may count" : "assignments are suggestions";
  const parts = [...(changed ? [rule] : []), ...people];
  return `assigned areas of ${name(entry)}: ${parts.join("; ")}`;
}

function ended(entry: AuditEntry): string {
  const open = listOf(entry.after, "openAreas").length;
  const left = open === 0 ? "" : `; ${countText(open, "area was", "areas were")} left open`;
  const how =
    entry.after?.withoutEndStock === true ? " without Shopify's stock, as its location was gone" : "";
  return `ended the count of ${name(entry)}${how}${left}`;
}

function renamed(entry: AuditEntry): string {
  const [from, to] = [entry.before?.name, entry.after?.name].map((word) =>
    word === null ? "no name" : word,
  );
  if (from === to) return `changed the note on the count of ${name(entry)}: ${after(entry, "note")}`;
  return `renamed the count of ${name(entry)} from ${from} to ${to}`;
}

function released(entry: AuditEntry): string {
  const moved = numberOf(entry.after, "alreadyMoved");
  const booked = `${skus(moved)}, ${signedText(numberOf(entry.after, "units"))} units, recorded as already moved`;
  return `released the session of ${name(entry)} after a restore${moved === 0 ? "" : `: ${booked}`}`;
}

function requested(move: string, entry: AuditEntry): string {
  const units = signedText(numberOf(entry.after, "units"));
  return `requested the ${move} of ${name(entry)}: ${skus(numberOf(entry.after, "items"))}, ${units} units`;
}

const results: Readonly<Record<string, string>> = { partial: "partly finished", failed: "failed" };

function concluded(move: string, entry: AuditEntry): string {
  const result = results[after(entry, "status")] ?? "finished";
  const units = signedText(numberOf(entry.after, "confirmedUnits"));
  const unclear = numberOf(entry.after, "unclear");
  const notMoved = numberOf(entry.after, "notMoved");
  const parts = [
    skus(numberOf(entry.after, "confirmed")),
    `${units} units`,
    ...(unclear === 0 ? [] : [`${quantityText(unclear)} unclear`]),
    ...(notMoved === 0 ? [] : [`${quantityText(notMoved)} not moved`]),
  ];
  return `${move} ${result}: ${parts.join(", ")}`;
}

function factor(facts: Facts): string {
  return facts?.name === undefined
    ? textOf(facts, "kind")
    : `${textOf(facts, "kind")} ${textOf(facts, "name")}`;
}

function asked(choice: unknown): string {
  if (choice === null) return "asks for a proof where there is a second factor";
  return choice === true ? "asks for a proof" : "asks for no proof";
}

/** What the actor did, to be read after the actor's name. */
const sentences: Record<Exclude<AuditAction, WorkAction>, Describe> = {
  "store.created": (entry) => `created the store ${name(entry)}`,
  "store.changed": (entry) => `changed the store ${name(entry)}`,
  "store.deleted": (entry) => `deleted the store ${name(entry)}`,
  "location.created": (entry) => `created the location ${name(entry)} in ${after(entry, "store")}`,
  "location.renamed": (entry) => `renamed the location ${name(entry)} to ${after(entry, "name")}`,
  "location.deleted": (entry) =>
    `deleted the location ${name(entry)} with ${countText(listOf(entry.before, "areas").length, "area", "areas")}`,
  "areas.created": (entry) =>
    `added ${countText(listOf(entry.after, "areas").length, "area", "areas")} to ${name(entry)}`,
  "area.renamed": (entry) => `renamed area ${name(entry)} to ${after(entry, "name")}`,
  "area.deleted": (entry) => `deleted area ${name(entry)}`,
  "area.merged": (entry) => `merged area ${name(entry)} into ${after(entry, "into")}`,
  "areas.copied": (entry) =>
    `copied ${countText(numberOf(entry.after, "locations"), "location", "locations")} and ${countText(numberOf(entry.after, "areas"), "area", "areas")} from ${after(entry, "from")} to ${name(entry)}`,
  "areas.assigned": assigned,
  "plan.created": (entry) => `planned a ${after(entry, "scope")} count of ${name(entry)}`,
  "plan.changed": (entry) => `changed the planned count of ${name(entry)}`,
  "plan.deleted": (entry) => `deleted the planned count of ${name(entry)}`,
  "session.started": (entry) => `started a ${after(entry, "scope")} count of ${name(entry)}`,
  "session.renamed": renamed,
  "session.ended": ended,
  "session.released": released,
  "session.archived": (entry) => `archived the count of ${name(entry)} in the file ${after(entry, "file")}`,
  "session.brought_back": (entry) =>
    `brought the count of ${name(entry)} back from the file ${before(entry, "file")}`,
  "counts.loaded": (entry) =>
    `loaded ${countText(numberOf(entry.after, "rows"), "row", "rows")} of counts from ${after(entry, "file")}`,
  "sheets.printed": (entry) => {
    const [first, last] = [after(entry, "firstSheet"), after(entry, "lastSheet")];
    return first === last ? `printed count sheet ${first}` : `printed the count sheets ${first} to ${last}`;
  },
  "sheet.returned": (entry) =>
    `keyed count sheet ${after(entry, "sheet")} of ${after(entry, "area")}: ${countText(numberOf(entry.after, "units"), "unit", "units")}`,
  "sheet.voided": (entry) =>
    `declared count sheet ${before(entry, "sheet")} of ${before(entry, "area")} void${because(entry)}`,
  "area.finished": finished,
  "area.total_declared": ownTotal,
  "area.reset": (entry) => `reset area ${nameAndMaker(entry)}${voided(entry)}`,
  "area.reopened": (entry) => `reopened area ${name(entry)}${voided(entry)}${because(entry)}`,
  "area.restored": (entry) => `restored the previous count of area ${name(entry)}`,
  "second_count.asked": (entry) =>
    `asked for a ${entry.after?.round === 3 ? "third" : "second"} count of area ${name(entry)}${ofSkus(entry)}`,
  "second_count.cancelled": (entry) => `cancelled the open second count of area ${name(entry)}`,
  "second_count.settled": (entry) =>
    `chose ${chosen(entry)} of ${name(entry)} in ${textOf(entry.before, "area")}${because(entry)}`,
  "search.created": (entry) =>
    `made ${countText(numberOf(entry.after, "lists"), "search list", "search lists")} of ${skus(numberOf(entry.after, "skus"))} for ${name(entry)}`,
  "search.withdrawn": (entry) => `took search list ${after(entry, "list")} of ${name(entry)} back`,
  "search.answered": (entry) => `${saidText(entry)} ${name(entry)}, search list ${after(entry, "list")}`,
  "search.decided": (entry) =>
    `decided that ${name(entry)} is ${entry.after?.answer === "found" ? "there" : "not there"}`,
  "tolerance.changed": (entry) =>
    entry.after === null
      ? `removed the tolerance of ${name(entry)}`
      : `changed the tolerance of ${name(entry)}`,
  "coverage.area_stated": (entry) =>
    `said that area ${name(entry)} ${statedText[after(entry, "as")] ?? after(entry, "as")}${because(entry)}`,
  "coverage.area_taken_back": (entry) =>
    `took back that area ${name(entry)} ${statedText[before(entry, "as")] ?? before(entry, "as")}`,
  "coverage.device_stated": (entry) =>
    `accounted for ${after(entry, "person")}'s device ${deviceText(after(entry, "device"))} in ${name(entry)}${because(entry)}`,
  "coverage.device_taken_back": (entry) =>
    `took back that ${before(entry, "person")}'s device ${deviceText(before(entry, "device"))} in ${name(entry)} is accounted for`,
  "coverage.difference_stated": (entry) =>
    `did without another count of ${skus(numberOf(entry.after, "skus"))} of ${name(entry)} beyond tolerance${because(entry)}`,
  "coverage.difference_taken_back": (entry) =>
    `took back that ${name(entry)} does without another count of ${skus(numberOf(entry.before, "skus"))} beyond tolerance`,
  "coverage.left_alone": (entry) =>
    `left ${skus(numberOf(entry.after, "skus"))} of ${name(entry)} alone that nobody has counted${because(entry)}`,
  "coverage.taken_up": (entry) =>
    `took back that ${skus(numberOf(entry.before, "skus"))} of ${name(entry)} are left alone`,
  "certificate.issued": (entry) =>
    `issued version ${after(entry, "version")} of the coverage certificate of ${name(entry)}, hash ${after(entry, "hash")}`,
  "sample.committed": (entry) => `committed the seed of the next control samples of ${name(entry)}`,
  "sample.drawn": (entry) =>
    `drew ${countText(listOf(entry.after, "drawn").length, "area", "areas")} for control sample ${after(entry, "number")} of ${name(entry)}${because(entry)}`,
  "sample.voided": (entry) =>
    `declared control sample ${before(entry, "number")} of ${name(entry)} void${because(entry)}`,
  "invitation.created": (entry) => `invited ${name(entry)}, ${after(entry, "email")}`,
  "invitation.revoked": (entry) => `revoked the invitation of ${name(entry)}`,
  "invitation.accepted": () => "accepted the invitation",
  "session_code.opened": (entry) => `opened a session code for ${name(entry)}`,
  "session_code.revoked": (entry) => `closed the session code of ${name(entry)}`,
  "session_code.admitting": (entry) =>
    typeof entry.after?.admitUntil === "string"
      ? `admits everyone by the session code of ${name(entry)} until ${after(entry, "admitUntil")}`
      : `admits nobody without asking by the session code of ${name(entry)} any more`,
  "counter.admitted": (entry) => `admitted ${name(entry)} by the session code`,
  "counter.declined": (entry) => `declined ${name(entry)}, who asked by the session code`,
  "account.created": (entry) => `created the account ${name(entry)}`,
  "account.changed": (entry) =>
    `changed the account ${name(entry)}${entry.after?.passwordChanged === true ? " and its password" : ""}`,
  "account.deleted": (entry) => `deleted the account ${name(entry)}`,
  "admin_password.changed": () => "changed the administrator's password",
  "logins.ended": loginsEnded,
  "second_factor.added": (entry) => `added the second factor ${factor(entry.after)}`,
  "second_factor.removed": (entry) => `removed the second factor ${factor(entry.before)}`,
  "recovery_codes.renewed": () => "made new recovery codes",
  "recovery_code.used": (entry) =>
    `used a recovery code; ${quantityText(numberOf(entry.after, "left"))} left`,
  "proof.chosen": (entry) => `chose that a deploy or rollback ${asked(entry.after?.proofBeforeMoves)}`,
  "login.opened": (entry) =>
    entry.after?.knownBrowser === true
      ? "signed in"
      : `signed in from a new browser at ${after(entry, "address")}`,
  "login.ended": () => "signed out",
  "count.adjusted": adjusted,
  "figure.included": (entry) => `included the uncertain count ${after(entry, "count")} of ${name(entry)}`,
  "figure.left_out": (entry) => `left the uncertain count of ${name(entry)} out again`,
  "auditors_file.written": (entry) =>
    `wrote an auditor's file of ${name(entry)}: ${after(entry, "lines")} lines of content`,
  "exception.accepted": (entry) =>
    `accepted the scan ${name(entry)} as ${after(entry, "sku")} in ${after(entry, "area")}`,
  "exception.dismissed": (entry) => `dismissed the scan ${name(entry)}`,
  "exception.taken_back": (entry) =>
    `took the decision on the scan ${name(entry)} back, so that it waits again`,
  "basis.chosen": (entry) =>
    `changed the comparison point to the stock at the ${entry.after?.basis === "count" ? "time of counting" : "end of the session"}${undecided(numberOf(entry.after, "noLongerIncluded"))}`,
  "deploy.requested": (entry) => requested("deploy", entry),
  "deploy.resumed": (entry) =>
    `resumed the deploy of ${name(entry)} for ${skus(numberOf(entry.after, "resumed"))}`,
  "deploy.cancelled": (entry) => `cancelled the deploy of ${name(entry)} while it was running`,
  "deploy.rows_left": (entry) =>
    `completed the deploy of ${name(entry)} without ${skus(numberOf(entry.after, "notMoved"))} that had not moved`,
  "rollback.requested": (entry) => requested("rollback", entry),
  "rollback.resumed": (entry) =>
    `resumed the rollback of ${name(entry)} for ${skus(numberOf(entry.after, "resumed"))}`,
  "rollback.cancelled": (entry) => `cancelled the rollback of ${name(entry)} while it was running`,
  "packs.saved": (entry) => {
    const [kept, gone] = [listOf(entry.after, "packs"), listOf(entry.before, "packs")];
    const was = gone.length === 0 ? "" : ` (before: ${gone.join(", ")})`;
    return `saved the codes of packs: ${kept.length === 0 ? "none left of these" : kept.join(", ")}${was}`;
  },
  "installation.restored": (entry) =>
    entry.after?.wentBackTo === undefined
      ? `restored the backup of ${after(entry, "backupMadeAt")}; what was recorded between it and the restore is gone`
      : `marked the database as restored to ${after(entry, "wentBackTo")}; what was recorded since then is gone`,
  "row.settled": (entry) =>
    `recorded that the stock of ${name(entry)} ${entry.after?.state === "confirmed" ? "was moved" : "was not moved"}`,
};

/** Whole sentences, without an actor. */
const workSentences: Record<WorkAction, Describe> = {
  "deploy.concluded": (entry) => concluded("Deploy", entry),
  "rollback.concluded": (entry) => concluded("Rollback", entry),
};

function hasKey<Key extends string>(sentences: Record<Key, Describe>, action: string): action is Key {
  return Object.hasOwn(sentences, action);
}

/** The entry in one sentence: "admin changed the count of Tee (TEE-S) from 4 to 6: recount". */
export function sentenceOf(entry: AuditEntry): string {
  if (hasKey(workSentences, entry.action)) return workSentences[entry.action](entry);
  // An unknown action was written by hand: it is shown unchanged.
  const text = hasKey(sentences, entry.action)
    ? sentences[entry.action](entry)
    : `${entry.action} ${name(entry)}`;
  return `${entry.actor.name} ${text}`;
}
