import type { CallAnswer, decideExceptions, takeBackDecisions } from "@stocktake/contract";
import { quantityText } from "../../../ui/formats.ts";
import type { Decision } from "./api.ts";
import { messages } from "./messages.ts";

type Decided = CallAnswer<typeof decideExceptions>["scans"];
type TakenBack = CallAnswer<typeof takeBackDecisions>["scans"];

/** What a product's count was set to by hand, where it was: accepted scans don't change that. */
export type SetByHand = (sku: string) => number | null;

const { done } = messages;

function count<Outcome extends string>(scans: readonly { readonly outcome: Outcome }[], outcome: Outcome) {
  return scans.filter((scan) => scan.outcome === outcome).length;
}

function unlessNone(amount: number, text: (amount: number) => string): string[] {
  return amount === 0 ? [] : [text(amount)];
}

function acceptedText(scans: Decided, setByHand: SetByHand): string[] {
  const accepted = scans.filter(({ outcome }) => outcome === "done");
  const skus = [...new Set(accepted.map(({ sku }) => sku))];
  const [sku] = skus;
  const byHand = skus.length === 1 && sku ? setByHand(sku) : null;
  if (!sku || byHand === null) return unlessNone(accepted.length, done.accepted);
  return [done.besideHand(accepted.length, sku, quantityText(byHand))];
}

/** What became of the scans that were decided on. */
export function decidedText(
  scans: Decided,
  { action }: Pick<Decision, "action">,
  setByHand: SetByHand,
): string {
  return [
    ...(action === "accept"
      ? acceptedText(scans, setByHand)
      : unlessNone(count(scans, "done"), done.dismissed)),
    ...unlessNone(count(scans, "settled_meanwhile"), done.already),
    ...unlessNone(count(scans, "needs_product"), done.needProduct),
    ...unlessNone(count(scans, "of_second_count"), done.ofSecondCount),
    ...unlessNone(count(scans, "tag_counted"), done.tagCounted),
  ].join(" ");
}

/** What became of decisions that were to be taken back. */
export function takenBackText(scans: TakenBack): string {
  return [
    ...unlessNone(count(scans, "done") + count(scans, "waiting"), done.takenBack),
    ...unlessNone(count(scans, "voided_since"), done.voidedSince),
    ...unlessNone(count(scans, "not_recorded"), done.notRecorded),
  ].join(" ");
}
