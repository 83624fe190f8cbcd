import type { ControlSample, DrawnArea } from "@stocktake/contract";
import { countText, dateTimeText, partsText } from "../formats.ts";

/** Texts about a control sample, on its session and in the report. */
export const sampleMessages = {
  title: (number: number) => `Control Sample ${number}`,
  states: { counting: "Not finished", finished: "Finished", void: "Void" },
  drawn: ({ drawnAt, drawnBy, drawn, areas }: ControlSample) =>
    `${countText(drawn.length, "area", "areas")} of ${areas} drawn ${dateTimeText(drawnAt)}${by(drawnBy)}.`,
  redrawn: (reason: string) => `Why it was drawn: ${reason}`,
  void: ({ voidReason, voidedBy, counted, differing }: ControlSample) =>
    `Void${by(voidedBy)}: ${voidReason ?? ""} Until then ${countText(counted, "area was", "areas were")} counted again, ${differing} differed. It says nothing about the others.`,
  counting: ({ counted, drawn }: ControlSample) =>
    `${counted} of ${drawn.length} counted again. It says something once all of them are.`,
  others: ({ notClosed, countedTwice }: ControlSample) => {
    const parts = [
      notClosed === 0 ? null : `${countText(notClosed, "area", "areas")} not closed by then`,
      countedTwice === 0 ? null : `${countText(countedTwice, "area", "areas")} counted a second time anyway`,
    ].filter((part) => part !== null);
    return parts.length === 0 ? "" : `It says nothing of ${parts.join(" and ")}.`;
  },
  excluded: "Left out, as their stock moved between the two counts:",
  areas: "Areas drawn",
  headers: { area: "Area", location: "Location", units: "Counted", state: "Control Count" },
  proof: "Seed and commitment",
  seed: "Seed",
  commitment: "Commitment",
  committed: ({ commitment: { committedAt, closedAreas } }: ControlSample) =>
    closedAreas === 0
      ? `The commitment is in the audit log since ${dateTimeText(committedAt)}, before any area was closed. SHA-256 of the seed leads to it.`
      : `The commitment was made ${dateTimeText(committedAt)}, when ${countText(closedAreas, "area was", "areas were")} closed already: the seeds of the session's start were not there any more, as after a restore.`,
} as const;

function by(person: { readonly username: string } | null): string {
  return person === null ? "" : ` by ${person.username}`;
}

const areaStates: Readonly<Record<DrawnArea["state"], string>> = {
  waiting: "Waiting for somebody",
  counting: "Being counted",
  counted: "Agrees",
  ended: "Ended without a result",
};

export function areaStateText({ state, differs }: DrawnArea): string {
  return differs === true ? "Differs" : areaStates[state];
}

export function excludedText({
  sku,
  productTitle,
  size,
  areaCode,
}: ControlSample["excluded"][number]): string {
  return `${partsText(productTitle, size)} (${sku}) in ${areaCode}`;
}
