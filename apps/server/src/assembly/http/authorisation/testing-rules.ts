import * as contract from "@stocktake/contract";
import { type AnyGiven, givenTo, nameOf, nowhere, type Place } from "../testing.ts";
import type { KindOfId, KindOfPerson } from "./testing-people.ts";

/** What a call of the signed-in gives to counters. The administrator reaches everything. */
type Reach =
  /** It names nothing, or what it shows is chosen: what the caller can access. */
  | "list"
  /** What it names, while the caller can access it. */
  | "read"
  /** As `read`, and late scans up to 14 days after a session's end, by whoever is signed in on the device by then. */
  | "deliver"
  /** As `read`, and nothing once the session has ended. */
  | "change"
  /** The caller's own logins: of whoever signs in with a password, while those of an invitation end with it. */
  | "account"
  /** Events without end, of what the caller can access: events/routes.test.ts holds them against each other. */
  | "stream";

export const reachOfSignedIn: ReadonlyMap<contract.CallDefinition, Reach> = new Map<
  contract.CallDefinition,
  Reach
>([
  [contract.whoAmI, "list"],
  [contract.listStores, "list"],
  [contract.listAreas, "list"],
  [contract.listSessions, "list"],
  [contract.listLocations, "read"],
  [contract.listAreasOfLocation, "read"],
  [contract.productMap, "read"],
  [contract.deviceMaxSequence, "deliver"],
  [contract.areaScans, "read"],
  [contract.postScan, "deliver"],
  [contract.postScanBatch, "deliver"],
  [contract.reportQueue, "deliver"],
  [contract.undoScan, "change"],
  [contract.resetArea, "change"],
  [contract.finishArea, "change"],
  [contract.listSearchTasks, "read"],
  [contract.readSearchTask, "read"],
  [contract.answerSearch, "change"],
  [contract.listLogins, "account"],
  [contract.endOwnLogin, "account"],
  [contract.endOtherLogins, "account"],
  [contract.events, "stream"],
]);

/** What opens a call that needs no login. */
export const openedBy: ReadonlyMap<contract.CallDefinition, string> = new Map<
  contract.CallDefinition,
  string
>([
  [contract.adminLogin, "the password"],
  [contract.finishAdminLogin, "the challenge that a right password brings, and a second factor"],
  [contract.requestPasskeyForLogin, "the challenge that a right password brings"],
  [contract.counterLogin, "name and password"],
  [contract.logout, "nothing; it ends the caller's own login"],
  [contract.readInvitation, "the invitation's token, while its session runs"],
  [contract.acceptInvitation, "the invitation's token, while its session runs"],
  [contract.readCode, "the session code's token, while its session runs"],
  [contract.askToJoin, "the session code's token, while its session runs"],
  [contract.readJoinRequest, "the key that the asking phone made up, while the session runs"],
  [contract.health, "nothing"],
  [contract.ready, "nothing"],
  [contract.shopifyWebhook, "Shopify's signature, which none of these has"],
]);

/** What comes of a call: it is done or refused for another reason than who makes it, or one of these refusals. */
export type Outcome =
  | "done"
  | "401 UNAUTHENTICATED"
  | "403 FORBIDDEN"
  | "404 NOT_FOUND"
  | "409 SESSION_CLOSED";

const refusals: readonly Outcome[] = [
  ...(["401 UNAUTHENTICATED", "403 FORBIDDEN", "404 NOT_FOUND", "409 SESSION_CLOSED"] as const),
];

export function outcomeOf(status: number, code: unknown): Outcome {
  return refusals.find((refusal) => refusal === `${status} ${String(code)}`) ?? "done";
}

/** Whether the session that the ids are of is over: the earlier one of the first store, and the third store's. */
function isOver(person: KindOfPerson, ids: KindOfId): boolean {
  if (person === "former counter") return ids === "own";
  return ids === "other session" || (person === "permanent counter" && ids === "other store");
}

function expectedOfPublic(call: contract.CallDefinition, person: KindOfPerson, ids: KindOfId): Outcome {
  if (call === contract.shopifyWebhook) return "401 UNAUTHENTICATED";
  if (namesIn(call).length === 0) return "done";
  return ids === "missing" || isOver(person, ids) ? "404 NOT_FOUND" : "done";
}

function expectedOfCounter(reach: Reach, person: KindOfPerson, ids: KindOfId): Outcome {
  if (reach === "list" || reach === "stream") return "done";
  if (reach === "account") return expectedOfAccount(person, ids);
  const isOfEnded =
    (person === "former counter" && ids === "own") ||
    (person === "permanent counter" && ids === "other session");
  if (isOfEnded && reach === "change") return "409 SESSION_CLOSED";
  if (isOfEnded && reach === "deliver") return "done";
  return ids === "own" ? "done" : "404 NOT_FOUND";
}

function expectedOfAccount(person: KindOfPerson, ids: KindOfId): Outcome {
  if (person !== "permanent counter") return "403 FORBIDDEN";
  return ids === "own" ? "done" : "404 NOT_FOUND";
}

/** Calls that name scans of the session that they name. */
const ofScansOfSession: ReadonlySet<contract.CallDefinition> = new Set<contract.CallDefinition>([
  ...[contract.decideExceptions, contract.takeBackDecisions],
]);

/** Whether only one of a session and its scans is another's, or of a session and the areas of its store. */
function isTornApart(call: contract.CallDefinition, ids: KindOfId, names: readonly IdName[]): boolean {
  const isOther = (name: IdName) => names.includes("sessionId") !== names.includes(name);
  if (call === contract.printSheets) return ids === "other store" && isOther("areaId");
  return ofScansOfSession.has(call) && isOther("scanId");
}

/**
 * What comes of a call that names such ids, by the contract's `access` and the two tables above. `names` are those that
 * it names so, all of them unless told; the others are the caller's own.
 */
export function expectedOf(
  call: contract.CallDefinition,
  person: KindOfPerson,
  ids: KindOfId,
  names: readonly IdName[] = namesIn(call),
): Outcome {
  const kind = names.length > 0 ? ids : "own";
  if (call.access === "public") return expectedOfPublic(call, person, kind);
  if (person === "nobody" || person === "revoked counter") return "401 UNAUTHENTICATED";
  if (person === "administrator") {
    return kind === "missing" || isTornApart(call, ids, names) ? "404 NOT_FOUND" : "done";
  }
  if (call.access === "admin") return "403 FORBIDDEN";
  const reach = reachOfSignedIn.get(call);
  if (reach === undefined) throw new Error(`Nothing says what counters reach by ${nameOf(call)}.`);
  // Of a session that is over nothing is looked up any more.
  const isOwnSession = reach === "change" && !names.includes("sessionId");
  return expectedOfCounter(reach, person, person === "former counter" && isOwnSession ? "own" : kind);
}

const idNames = [
  ...(["storeId", "locationId", "areaId", "sessionId", "invitationId", "scanId", "userId"] as const),
  ...(["accountId", "invitationToken", "operationId", "adjustmentId", "noticeId"] as const),
  ...(["loginId", "passkeyId", "sessionCodeId", "codeToken", "joinRequestId", "joinKey"] as const),
] satisfies (keyof Place)[];
type IdName = (typeof idNames)[number];

/** The ids that a call names, found by marking them in its proper form. */
export function namesIn(call: contract.CallDefinition): readonly IdName[] {
  return idNames.filter((name) => {
    const given = givenTo(call, { ...nowhere, [name]: marker });
    return JSON.stringify([given.params, given.query, given.body]).includes(marker);
  });
}

const marker = "the marked id";

/** One form of a call: with ids of a kind in the place of these names, own ones in the others. */
export interface Form {
  readonly ids: KindOfId;
  readonly names: readonly IdName[];
  readonly given: AnyGiven;
}

/**
 * The forms of a call with such ids: all names together, and with strange or missing ones each name by itself too. None
 * where the ids are the caller's own again.
 */
export function formsWith(
  call: contract.CallDefinition,
  places: Readonly<Record<KindOfId, Place>>,
  ids: KindOfId,
): Form[] {
  const { own, [ids]: other } = places;
  if (ids === "own") return [{ ids, names: [], given: givenTo(call, own) }];
  const differing = namesIn(call).filter((name) => own[name] !== other[name]);
  if (differing.length === 0) return [];
  const together = { ids, names: differing, given: givenTo(call, other) };
  if (differing.length === 1) return [together];
  const alone = differing.map((name) => {
    return { ids, names: [name], given: givenTo(call, { ...own, [name]: other[name] }) };
  });
  return [together, ...alone];
}
