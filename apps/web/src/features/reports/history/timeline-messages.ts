import type { MoveEvent } from "@stocktake/contract";
import { countText, quantityText, signedText } from "../../../ui/formats.ts";

const skus = (count: number) => countText(count, "SKU", "SKUs");
const sum = (items: number, units: number) => `${skus(items)}, ${signedText(units)} units together`;
const part = ({ moved, items, movedUnits }: MoveEvent) =>
  `${quantityText(moved)} of ${skus(items)} moved, ${signedText(movedUnits)} units together`;

/** What happened, in a sentence without its end. */
const sentences: Record<MoveEvent["action"], (event: MoveEvent) => string> = {
  "deploy.requested": ({ items, units }) => `Deploy started: ${sum(items, units)}`,
  "deploy.resumed": (event) => `Deploy resumed: ${part(event)} so far`,
  "deploy.cancelled": (event) => `Stop of the deploy asked for: ${part(event)} so far`,
  "deploy.concluded": (event) => `Deploy ended: ${part(event)}`,
  "deploy.rows_left": ({ notMoved }) =>
    `Deploy completed without the rest: ${skus(notMoved)} left as they are`,
  "rollback.requested": ({ items, units }) => `Rollback started: ${sum(items, units)}`,
  "rollback.resumed": (event) => `Rollback resumed: ${part(event)} back so far`,
  "rollback.cancelled": (event) => `Stop of the rollback asked for: ${part(event)} back so far`,
  "rollback.concluded": (event) => `Rollback ended: ${part(event)} back`,
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
