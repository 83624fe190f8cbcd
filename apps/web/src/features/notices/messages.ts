import type { GuessingNotice, WorkNotice } from "@stocktake/contract";
import { reportPath } from "../../http/report-path.ts";
import { countText, dateTimeText } from "../../ui/formats.ts";

const guessed: Readonly<Record<GuessingNotice["login"], string>> = {
  admin: "the administrator's password",
  counter: "passwords of counters",
  password_change: "the administrator's password where it is asked for again",
  second_factor:
    "the administrator's second factor, after the right password or where one is asked for again",
};

/** What is told of guessing by strangers, in a browser that is known, and at second factors. */
const kinds = {
  strangers: {
    title: "Somebody is guessing passwords",
    titleOver: "Somebody guessed at passwords",
    safe: "Nobody is locked out: strangers are slowed down, browsers in which somebody has signed in before are not. If the password is short or used elsewhere, change it now.",
  },
  knownBrowser: {
    title: "Somebody is guessing passwords in a known browser",
    titleOver: "Somebody guessed at passwords in a known browser",
    safe: "It may try ten in 15 minutes; nobody is locked out. If nobody of yours forgot the password, change it: every browser that knew the old one is then a stranger's.",
  },
  secondFactor: {
    title: "Somebody is guessing second factors",
    titleOver: "Somebody guessed at second factors",
    safe: "If that was not you, somebody knows your password, or uses a browser in which you are signed in: change the password now, which ends every other login of the administrator.",
  },
} as const;

function kindOf({ login, knownBrowser }: GuessingNotice) {
  if (login === "second_factor") return kinds.secondFactor;
  return knownBrowser === true ? kinds.knownBrowser : kinds.strangers;
}

function wrongText({ login, wrongPasswords, addresses, knownBrowser }: GuessingNotice): string {
  const wrong =
    login === "second_factor"
      ? countText(wrongPasswords, "wrong one", "wrong ones")
      : countText(wrongPasswords, "wrong password", "wrong passwords");
  return knownBrowser === true
    ? `${wrong} for ${guessed[login]}, in a browser in which somebody has signed in before`
    : `${wrong} from ${countText(addresses, "address", "addresses")} for ${guessed[login]}`;
}

/** Messages of what the dashboard warns of. */
export const messages = {
  title: (notice: GuessingNotice) => kindOf(notice).title,
  titleOver: (notice: GuessingNotice) => kindOf(notice).titleOver,
  text: (notice: GuessingNotice) =>
    `${wrongText(notice)}, from ${dateTimeText(notice.beganAt)} to ${dateTimeText(notice.lastAt)}.`,
  safe: (notice: GuessingNotice) => kindOf(notice).safe,
  change: "Open Settings",
  dismiss: "Dismiss",
  dismissFailed: "Failed to dismiss the warning",
  inbox: {
    title: "Waiting for You",
    button: (waiting: number) => (waiting === 0 ? "Notices, none waiting" : `Notices, ${waiting} waiting`),
    none: "Nothing waits for you.",
    failed: "Failed to fetch what waits for you",
    kinds: {
      recounts: "Recount to be done",
      silent_devices: "Device silent",
      unheard_devices: "Device not heard of",
      join_requests: "Waiting to join",
      not_invited: "Not invited",
      counted_by_others: "Counted by others",
      exceptions: "Scans to decide",
      deploy_partial: "Deploy partly done",
      rollback_partial: "Rollback partly done",
      deploy_failed: "Deploy failed",
      deploy_done: "Deploy done",
    },
  },
} as const;

const named = (names: readonly string[], count: number) =>
  names.length === 0 ? "" : `: ${names.join(", ")}${count > names.length ? " …" : ""}`;

/** A notice's kind in words: what is left of a rollback is settled otherwise than what is left of a deploy. */
export function kindTextOf({ kind, isRollback }: WorkNotice): string {
  const { kinds } = messages.inbox;
  return kind === "deploy_partial" && isRollback === true ? kinds.rollback_partial : kinds[kind];
}

/** What a notice says, beside its kind. */
export function textOf({ kind, isRollback, count, names, at }: WorkNotice): string {
  switch (kind) {
    case "recounts":
      return `${countText(count, "area is to be counted again", "areas are to be counted again")}${named(names, count)}`;
    case "silent_devices":
      return `${countText(count, "device has not sent everything, and has", "devices have not sent everything, and have")} not been heard of since ${dateTimeText(at)}${named(names, count)}`;
    case "unheard_devices":
      return `${countText(count, "device is", "devices are")} in an area that is not finished, and ${count === 1 ? "has" : "have"} not been heard of since ${dateTimeText(at)}${named(names, count)}. If scanning goes on there, its scans are not here yet.`;
    case "join_requests":
      return `${countText(count, "person has asked to count and waits", "people have asked to count and wait")} to be admitted, since ${dateTimeText(at)}${named(names, count)}`;
    case "not_invited":
      return `${countText(count, "person of the plan", "people of the plan")} could not be invited, and it is not tried any more${named(names, count)}. Invite Counters of that session says why, and sends an invitation by hand.`;
    case "counted_by_others":
      return `${countText(count, "area was counted in by somebody it is not", "areas were counted in by somebody they are not")} assigned to${named(names, count)}. Their scans count.`;
    case "exceptions":
      return countText(count, "scan needs a decision", "scans need a decision");
    case "deploy_partial":
      return isRollback === true
        ? "Some rows could not be moved back, or nobody can tell. Look at the history of adjustments."
        : "Some rows could not be moved, or nobody can tell. Look at the history of adjustments.";
    case "deploy_failed":
      return "Nothing was moved in Shopify. It can be tried again.";
    case "deploy_done":
      return `${countText(count, "product was", "products were")} moved in Shopify, ${dateTimeText(at)}`;
  }
}

/** Where a notice is worked off. */
export function addressOf({ kind, sessionId }: WorkNotice): string {
  const session = encodeURIComponent(sessionId);
  switch (kind) {
    case "recounts":
    case "silent_devices":
    case "unheard_devices":
    case "not_invited":
    case "counted_by_others":
      return "/admin/sessions";
    case "join_requests":
      return `/admin/sessions/${session}/code`;
    case "exceptions":
      return `/admin/sessions/${session}/exceptions`;
    case "deploy_partial":
    case "deploy_failed":
    case "deploy_done":
      return `${reportPath(sessionId)}&tab=history`;
  }
}
