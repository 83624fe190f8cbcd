import type { MoveEvent } from "@stocktake/contract";
import { countText, quantityText, signedText } from "../../../ui/formats.ts";

const skus = (count: number) => countText(count, "SKU", "SKUs");
/** Over some SKUs and under others: only their net is told. */
const net = (units: number) =>
  `a net change of ${signedText(units)} ${Math.abs(units) === 1 ? "unit" : "units"}`;
const sum = (items: number, units: number) => `${skus(items)}, ${net(units)}`;
const part = ({ moved, items, movedUnits }: MoveEvent, how: string) =>
  `${quantityText(moved)} of ${skus(items)} ${how}, ${net(movedUnits)}`;

/** What happened, in a sentence without its end. */
const sentences: Record<MoveEvent["action"], (event: MoveEvent) => string> = {
  "deploy.requested": ({ items, units }) => `Deploy started: ${sum(items, units)}`,
  "deploy.resumed": (event) => `Deploy resumed: ${part(event, "moved so far")}`,
  "deploy.cancelled": (event) => `Stop of the deploy asked for: ${part(event, "moved so far")}`,
  "deploy.concluded": (event) => `Deploy ended: ${part(event, "moved")}`,
  "deploy.rows_left": ({ notMoved }) =>
    `Deploy completed without the rest: ${skus(notMoved)} left as they are`,
  "rollback.requested": ({ items, units }) => `Rollback started: ${sum(items, units)}`,
  "rollback.resumed": (event) => `Rollback resumed: ${part(event, "moved back so far")}`,
  "rollback.cancelled": (event) => `Stop of the rollback asked for: ${part(event, "moved back so far")}`,
  "rollback.concluded": (event) => `Rollback ended: ${part(event, "moved back")}`,
  "row.settled": ({ settled }) =>
    `Decided of ${settled?.sku ?? "a SKU"}: its stock was ${settled?.moved === true ? "moved" : "not moved"}`,
};

/** Texts of what happened to deploys and rollbacks. */
export const timelineMessages = {
  heading: "Deploys and Rollbacks",
  server: "by itself",
  what: (event: MoveEvent) => sentences[event.action](event),
  /** What is left open by then; null where nothing is, and of what has only begun. */
  open: ({ action, unclear, notMoved }: MoveEvent): string | null => {
    if (action.endsWith(".requested") || action === "deploy.rows_left") return null;
    const parts = [
      ...(notMoved === 0 ? [] : [`${skus(notMoved)} not moved`]),
      ...(unclear === 0 ? [] : [`${skus(unclear)} with an unknown outcome`]),
    ];
    return parts.length === 0 ? null : `Left open: ${parts.join(", ")}`;
  },
} as const;
