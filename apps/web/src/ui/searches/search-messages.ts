import type { GivenSearchAnswer, SearchAnswer, SearchHistory, SearchState } from "@stocktake/contract";
import { dateTimeText } from "../formats.ts";

const said: Record<SearchAnswer, string> = { found: "found it", not_there: "looked, not there" };
const lastCharacters = 6;

/** Texts about what was searched for, on the page of searches and in the report. */
export const searchTexts = {
  states: {
    open: "No answer yet",
    found: "Found, not scanned yet",
    not_there: "Looked, not there",
    contradicted: "Contradicted",
    overruled: "Counted after all",
  } satisfies Record<SearchState, string>,
  counted: "Counted",
  answer: ({ username, answer, answeredAt, lookedAt = answeredAt, deviceId, list }: GivenSearchAnswer) =>
    `${username}: ${said[answer]}, ${dateTimeText(lookedAt)}, list ${list}, device …${deviceId.slice(-lastCharacters)}`,
  decided: ({ answer, decidedBy, decidedAt }: NonNullable<SearchHistory["decision"]>) =>
    `${decidedBy} decided: ${answer === "found" ? "it is there" : "it is not there"}, ${dateTimeText(decidedAt)}`,
  lateScan: "A scan of it waits to be decided. Until then it counts as not searched for.",
  moved:
    "Its stock changed after somebody had looked: it may have come in, or have been there and sold. Until you decide it counts as not searched for.",
  scannedAgain:
    "Somebody scanned it in a second count that settles nothing of it. Until you decide it counts as not searched for.",
  voided:
    "Somebody scanned it after somebody had looked, in a count that was voided, and the area was not counted again since. Until you decide it counts as not searched for.",
  clockWasSet:
    "Its stock changed, or somebody scanned it in a count that does not count, and the server's clock was set during the session: nobody can tell whether that was before or after somebody looked. Until you decide once the session has ended it counts as not searched for.",
  differ: "People say different things. Until you decide it counts as not searched for.",
  overruled: "It was looked for and said not to be there, and counted all the same: the count holds.",
  there: "It Is There",
  notThere: "It Is Not There",
  decideFailed: "Failed to decide",
  answers: (sku: string) => `What was said of ${sku}`,
} as const;
