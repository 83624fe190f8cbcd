import type { ReleasePreviewRow } from "@stocktake/contract";
import { countText, quantityText } from "../../../ui/formats.ts";
import type { ReleasePreview } from "./api.ts";

type Question = ReleasePreview["question"];
type Asked = Exclude<Question, "nothing">;

const skus = (count: number) => countText(count, "SKU", "SKUs");

/** What may have been done since the backup, in the past participle and as a noun. */
const done: Record<Asked, string> = {
  deploy: "deployed",
  rest: "moved",
  rollback: "rolled back",
};

const verdictTitles: Record<ReleasePreview["verdict"], (question: Asked) => string> = {
  all: (question) => `Looks ${done[question]} already`,
  some: (question) => `Some of it looks ${done[question]} already`,
  none: (question) => `Does not look ${done[question]}`,
  unclear: (question) => `Can't tell whether it was ${done[question]}`,
};

const released = "Nothing is sent to Shopify now.";

/** What each choice leads to, one sentence each. */
const consequencesOf: Record<Asked, { readonly none: string; readonly moved: string }> = {
  deploy: {
    none: "The report can be deployed. If it was deployed since the backup, Deploy moves the same stock a second time.",
    moved:
      "The report counts as deployed and can be rolled back. What is not recorded can be sent with Resume in the Adjustment History.",
  },
  rest: {
    none: "The rows stay as they are: settle each of them in the Adjustment History by what you find in Shopify.",
    moved: "The recorded rows count as moved. The others stay as they are, for you to settle or resume.",
  },
  rollback: {
    none: "The deploy can be rolled back. If it was rolled back since the backup, Rollback takes the same stock back a second time.",
    moved:
      "What is recorded counts as rolled back. What is not recorded can be rolled back in the Adjustment History.",
  },
};

export const messages = {
  noticeTitle: "Restored from a backup",
  notice:
    "Shopify was not restored with it, so its stock may have been moved since in a way that is not known here. Deploy, Rollback and Resume are off until you have compared the stock and released this session.",
  open: "Compare and Release",
  title: "Release this session?",
  times: (made: string, restored: string) =>
    `The backup was made ${made} and restored ${restored}. What was deployed or rolled back after the backup is not known here.`,
  loading: "Comparing with Shopify's stock",
  previewFailed: "Failed to compare with Shopify's stock:",
  nothing:
    "There is nothing in this session that could have been deployed or rolled back since the backup. Release it as it is.",
  verdict: (question: Asked, verdict: ReleasePreview["verdict"]) => verdictTitles[verdict](question),
  figures: ({ moved, notMoved, unknown, total }: ReleasePreview) =>
    `Of ${skus(total)}, ${quantityText(moved)} look moved, ${quantityText(notMoved)} look not moved, and of ${quantityText(unknown)} nobody can tell.`,
  uncounted: (moved: number) =>
    `${skus(moved)} that nobody counted also look as if they had been set to zero.`,
  hint: "This is a hint: sales and deliveries move stock too. If in doubt, look at the inventory history of a SKU in Shopify for adjustments after the backup.",
  unfinished: (checked: number, total: number) =>
    `Shopify was too slow: only ${quantityText(checked)} of ${skus(total)} were compared.`,
  table: "SKUs compared with Shopify's stock",
  measure: { on_hand: "On Hand", available: "Available" } satisfies Record<
    ReleasePreviewRow["measure"],
    string
  >,
  looks: { moved: "Looks moved", not_moved: "Looks not moved", unknown: "Can't tell" } satisfies Record<
    ReleasePreviewRow["looks"],
    string
  >,
  notCounted: "Not counted",
  more: (count: number) => `Show ${quantityText(count)} more`,
  listed: (listed: number, of: number) =>
    `${quantityText(listed)} of ${quantityText(of)} are listed, those that look moved first.`,
  choice: "What was moved since the backup?",
  choices: {
    none: "Nothing: release without recording anything",
    looks: (count: number) =>
      count === 1 ? "The SKU that looks moved: record it" : `The ${skus(count)} that look moved: record them`,
    all: (count: number) => `All ${skus(count)}: record them as moved`,
  },
  zeroUncounted: "Also record the SKUs that nobody counted as set to zero",
  consequences: (question: Asked, records: boolean) => [
    released,
    records ? consequencesOf[question].moved : consequencesOf[question].none,
    "Who released it, when, and what was recorded is in the audit log.",
  ],
  confirm: "Release",
  releasing: "Releasing...",
  failed: "Failed to release the session:",
  done: (recorded: boolean) =>
    recorded
      ? "The session was released, and what was moved already is recorded. Nothing was sent to Shopify."
      : "The session was released. It can be deployed and rolled back again.",
} as const;

/** Of all sessions that a restore holds back. */
export const review = {
  notice: "Restored from a backup",
  noticeText: (sessions: number) =>
    `Shopify was not restored with it. Deploy and Rollback are off for ${countText(sessions, "session", "sessions")} until you have compared each with Shopify's stock and released it.`,
  open: "Review Sessions",
  title: "Sessions from the backup",
  intro:
    "Each session is compared with Shopify's stock of now. Those of which nothing looks moved since the backup can be released together; open the others one by one.",
  allReleased: "Every session is released. They can be deployed and rolled back again.",
  comparing: (done: number, of: number) =>
    `Comparing with Shopify's stock: ${quantityText(done)} of ${countText(of, "session", "sessions")}`,
  failed: (sessions: number) => `${countText(sessions, "session", "sessions")} could not be compared`,
  failedText: "Shopify could not be asked. They stay as they are until they have been compared.",
  again: "Try Again",
  unmoved: (sessions: number) =>
    `${countText(sessions, "session looks", "sessions look")} as if nothing was moved since the backup`,
  unmovedFigures: ({ sessions, skus: compared }: { readonly sessions: number; readonly skus: number }) =>
    compared === 0
      ? `There is nothing in ${sessions === 1 ? "it" : "them"} that could have been deployed or rolled back since.`
      : `${skus(compared)} ${compared === 1 ? "was" : "were"} compared: of each Shopify has what it had at the backup.`,
  unmovedMeans:
    "A release sends nothing to Shopify and records nothing as moved. Each is an entry in the audit log.",
  releaseUnmoved: (sessions: number) => `Release ${countText(sessions, "Session", "Sessions")}`,
  releasing: (done: number, of: number) => `Releasing ${quantityText(done)} of ${quantityText(of)}`,
  released: (sessions: number) =>
    `${countText(sessions, "session was", "sessions were")} released. Nothing was sent to Shopify.`,
  table: "Sessions that wait for their release",
  session: "Session",
  backupMade: (made: string) => `Backup made ${made}`,
  looks: "Since the Backup",
  action: "Action",
  counting: "Still counting",
  countingNote: "End it first.",
  waiting: "Not compared yet",
  notCompared: "Could not be compared",
  nothing: "Nothing to decide",
  figures: ({ moved, notMoved, unknown }: ReleasePreview) =>
    `${quantityText(moved)} moved, ${quantityText(notMoved)} not moved, ${quantityText(unknown)} unknown`,
  close: "Close",
} as const;
