import type { CoverageKind, OpenCoverage } from "@stocktake/contract";
import { countText } from "../formats.ts";

const isOrAre = (count: number) => (count === 1 ? "is" : "are");

/** What is open, by its kind. */
const kinds: Record<CoverageKind, (count: number) => string> = {
  areas: (count) => `${countText(count, "area", "areas")} ${isOrAre(count)} not counted`,
  empty_areas: (count) => `${countText(count, "empty area", "empty areas")} to be confirmed`,
  stock: (count) => `${countText(count, "SKU", "SKUs")} in stock not accounted for`,
  devices: (count) => `${countText(count, "device that has", "devices that have")} not sent everything`,
  unknown_devices: (count) =>
    `${countText(count, "device", "devices")} of which it is not known whether everything was sent`,
  sheets: (count) => `${countText(count, "count sheet", "count sheets")} out`,
  second_counts: (count) => `${countText(count, "second count", "second counts")} under way`,
  differences: (count) => `${countText(count, "difference", "differences")} to choose`,
  cut_off_counts: (count) => `${countText(count, "second count", "second counts")} cut off by the end`,
  beyond_tolerance: (count) => `${countText(count, "SKU", "SKUs")} beyond tolerance not counted again`,
  samples: (count) => `${countText(count, "control sample", "control samples")} not finished`,
  exceptions: (count) => `${countText(count, "scan", "scans")} to decide about`,
  restored: () => "Restored from a backup, not released",
};

/** Texts about coverage that several features show. */
export const coverageTexts = {
  things: (count: number) => `${countText(count, "thing", "things")} open`,
  open: ({ kind, count }: OpenCoverage) => kinds[kind](count),
  card: (text: string) => `Coverage: ${text}`,
  nothingOpen: "nothing open",
  certificate: (version: number) => `Certificate version ${version}`,
  none: (text: string) => `No coverage certificate: ${text}`,
  noneYet: "No coverage certificate yet: nothing is open",
  superseded: (version: number, text: string) => `Certificate version ${version} no longer holds: ${text}`,
  reading: "Coverage certificate: reading what is open...",
  renewing: (version: number) => `Certificate version ${version} no longer holds: the next version is due`,
  failed: "Failed to fetch what is open",
  label: "Coverage",
  see: "See What Is Open",
  toPage: "Coverage of this session",
} as const;
