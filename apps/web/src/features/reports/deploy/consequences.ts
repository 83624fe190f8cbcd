import type { MovingStock, SearchedStock, ZeroedStock } from "@stocktake/contract";
import { signedMoneyText } from "../../../ui/figures/money-text.ts";
import { countText, quantityText, signedText } from "../../../ui/formats.ts";
import type { DeployOptions, DeployPreview, Report } from "../api.ts";
import { messages } from "../messages.ts";
import { movingShare } from "../summary/report-shares.ts";

/** A report, and what its deploy would do now. */
export interface Previewed {
  readonly report: Report;
  readonly preview: DeployPreview;
}

const nothing: SearchedStock = {
  ...{ items: 0, units: 0, cost: 0, withoutCost: 0 },
  people: [],
  onOneWord: null,
};

/** What was searched for and is not there. */
export function searchedOf({ searched = nothing }: DeployPreview): SearchedStock {
  return searched;
}

function scopeSentences({ report, preview }: Previewed): string[] {
  if (report.session.scope === "partial") return [messages.deployDialog.partialScope];
  const { uncounted, skipped, zeroed } = preview;
  const { items: searched } = searchedOf(preview);
  // Among what is left out there may be what was never counted; and what another session has set to zero since would not move.
  const stays = report.summary.notCounted.items + skipped.length;
  const isEverythingCounted = uncounted.items + searched + stays === 0;
  const areas = zeroed === "always" ? messages.deployDialog.noOpenAreas : messages.deployDialog.noAreas;
  return [
    ...(isEverythingCounted ? [messages.deployDialog.everythingCounted] : []),
    ...(report.session.openAreas.length === 0 ? [areas] : []),
  ];
}

/** What is chosen in the dialog. */
export interface Choices {
  readonly zero: boolean;
  /** What was searched for and is not there alone; with `zero` it goes too. */
  readonly searched: boolean;
  readonly stock: boolean;
  /** Whose word alone has been agreed to, and of how much, as `keyOfWord` has it. */
  readonly agreed: readonly string[];
}

export const nothingChosen: Choices = { zero: false, searched: false, stock: false, agreed: [] };

/** What has to be confirmed by typing its units before a deploy with these choices. */
interface ToConfirm {
  /** What nobody counted or looked for; null where it does not go to zero. */
  readonly uncounted: DeployPreview["uncounted"] | null;
  /** The number to be typed; null where none is wanted. */
  readonly units: number | null;
}

export function toConfirm(preview: DeployPreview, { zero }: Pick<Choices, "zero">): ToConfirm {
  const uncounted = zero || preview.zeroed === "always" ? preview.uncounted : null;
  return { uncounted, units: uncounted?.confirmUnits ?? null };
}

/** What was never counted goes to zero by this very dialog, and so much of it that its units have to be typed. */
export function needsTyping(preview: DeployPreview): boolean {
  return preview.zeroed === "always" && toConfirm(preview, nothingChosen).units !== null;
}

/** What one temporary counter alone says is not there, and is much; the name is null where the server does not tell it. */
export interface WordAlone {
  readonly username: string | null;
  readonly items: number;
  readonly units: number;
}

/** What goes to zero with these choices on the word of one temporary counter alone. */
export function onOneWord(
  preview: DeployPreview,
  { zero, searched }: Omit<Choices, "agreed">,
): readonly WordAlone[] {
  const goes = zero || searched || preview.zeroed === "always";
  const word = goes ? searchedOf(preview).onOneWord : null;
  if (word === null) return [];
  return word.people ?? [{ username: null, items: word.items, units: word.units }];
}

/** So that another figure has to be agreed to anew. */
export function keyOfWord({ username, items, units }: WordAlone): string {
  return JSON.stringify([username, items, units]);
}

/** Whether everything that rests on one word alone was agreed to. */
export function isAgreed(preview: DeployPreview, choices: Choices): boolean {
  return onOneWord(preview, choices).every((word) => choices.agreed.includes(keyOfWord(word)));
}

/**
 * What is sent with these choices. A server of an earlier release does not tell whose word something rests on alone: it wants the units of that
 * with the number.
 */
export function optionsOf(preview: DeployPreview, choices: Choices): DeployOptions {
  const { zero, searched, stock } = choices;
  const { units } = toConfirm(preview, choices);
  const ofEarlier = onOneWord(preview, choices).filter(({ username }) => username === null);
  const wanted = [...(units === null ? [] : [units]), ...ofEarlier.map((word) => word.units)];
  return {
    ...(zero ? { zeroUncounted: true } : {}),
    ...(searched && !zero ? { zeroSearched: true } : {}),
    ...(stock ? { stockFound: true } : {}),
    ...(wanted.length === 0 ? {} : { confirmUnits: wanted.reduce((sum, each) => sum + each, 0) }),
    ...(preview.plan === undefined ? {} : { plan: preview.plan }),
  };
}

/** How many SKUs would change and stay, which together are all that differ. */
function sumsOf(preview: DeployPreview, { zero, searched, stock }: Choices) {
  const { totalAdjustments, uncounted, skipped, found, zeroed } = preview;
  const isChosen = zeroed === "by_choice";
  const left = isChosen ? uncounted.items : 0;
  const leftOfSearched = isChosen ? searchedOf(preview).items : 0;
  const going = (zero ? left : 0) + (zero || searched ? leftOfSearched : 0);
  const stocked = stock ? found.items : 0;
  return {
    changing: totalAdjustments + stocked + going,
    uncounted: left + leftOfSearched - going,
    leftOut: skipped.length - stocked,
  };
}

function sumSentences(preview: DeployPreview, choices: Choices) {
  const { changing, uncounted, leftOut } = sumsOf(preview, choices);
  const change = `${countText(changing, "SKU will change", "SKUs will change")} in Shopify.`;
  const staying = uncounted + leftOut;
  if (staying === 0) return { change, stay: [] };
  const parts = [
    ...(uncounted === 0 ? [] : [messages.deployDialog.ofUncounted(quantityText(uncounted))]),
    ...(leftOut === 0 ? [] : [messages.deployDialog.ofSkipped(quantityText(leftOut))]),
  ];
  const stays = countText(staying, "SKU will stay as it is", "SKUs will stay as they are");
  return { change, stay: [`${stays}: ${parts.join(", ")}.`] };
}

function sumOf(costs: readonly (number | null)[]): number | null {
  return costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** What moves, and how many SKUs that are. */
interface MovingPart extends MovingStock {
  readonly items: number;
}

/** Where none of its costs is known, the other parts' still are. */
function partOf(items: number, moving: MovingStock): MovingPart {
  return { ...moving, items, cost: moving.withoutCost === items ? 0 : moving.cost };
}

/** What goes to zero by choice: what Shopify has of it, and what it has less than nothing of, which rises. */
function zeroedBy(preview: DeployPreview, { zero, searched }: Choices): MovingPart {
  const parts: ZeroedStock[] = [
    ...(zero ? [preview.uncounted] : []),
    ...(preview.zeroed === "by_choice" && (zero || searched) ? [searchedOf(preview)] : []),
  ];
  const raised = parts.flatMap(({ belowZero }) => (belowZero === undefined ? [] : [belowZero]));
  const lost = sumOf(parts.map(({ cost }) => cost));
  // A server of an earlier release does not tell what the units below zero cost.
  const gained = sumOf(raised.map(({ cost = null }) => cost));
  return partOf(
    parts.reduce((sum, { items }) => sum + items, 0),
    {
      above: raised.reduce((sum, { units }) => sum + units, 0),
      below: -parts.reduce((sum, { units }) => sum + units, 0),
      cost: lost === null || gained === null ? null : gained - lost,
      withoutCost: parts.reduce((sum, { withoutCost }) => sum + withoutCost, 0),
    },
  );
}

/**
 * What moves without any choice, as the preview has it: the report may be of another moment. A server of an earlier release leaves it to the
 * report, which says nothing where Shopify has just been found to have something else.
 */
function movingOf({ report, preview }: Previewed): MovingPart | null {
  const { totalAdjustments, moving } = preview;
  if (moving !== undefined) return partOf(totalAdjustments, moving);
  const share = movingShare(report);
  return share.items === totalAdjustments ? partOf(share.items, share) : null;
}

/** "3 units", or "+3 and -2 units" where a level that is not stocked has kept more than was counted. */
function foundUnitsText({ units, moving }: DeployPreview["found"]): string {
  if (moving === undefined || moving.below === 0) return countText(units, "unit", "units");
  return messages.zeroing.upAndDown(signedText(moving.above), signedText(moving.below));
}

/** What could be stocked, and that Shopify has some of it here already, which the report does not know. */
export function foundText({ found }: DeployPreview): string {
  const note = messages.zeroing.stockNote(countText(found.items, "SKU", "SKUs"), foundUnitsText(found));
  const { keptUnseen: kept } = found;
  return kept === undefined ? note : `${note} ${messages.zeroing.keptUnseen(kept.items, kept.units)}`;
}

/** What stocking the found moves, where that is chosen. A server of an earlier release tells the sum of their units alone. */
function stockedBy({ found }: DeployPreview, { stock }: Choices): MovingPart {
  if (!stock) return partOf(0, { above: 0, below: 0, cost: 0, withoutCost: 0 });
  const { items, units, moving = { above: units, below: 0, cost: 0, withoutCost: items } } = found;
  return partOf(items, moving);
}

/** Null where the sum is not known, or can't be shown exactly. */
function moneyOf(parts: readonly MovingPart[], currency: string): string | null {
  const cost = sumOf(parts.map((part) => part.cost));
  const isKnown = parts.some(({ items, withoutCost }) => items > withoutCost);
  return cost === null || !isKnown ? null : signedMoneyText(cost, currency);
}

/** In units and money. */
function unitSentences(given: Previewed, choices: Choices): string[] {
  const moving = movingOf(given);
  if (moving === null) return [];
  const parts = [moving, stockedBy(given.preview, choices), zeroedBy(given.preview, choices)];
  const above = parts.reduce((sum, part) => sum + part.above, 0);
  const below = parts.reduce((sum, part) => sum + part.below, 0);
  if (above === 0 && below === 0) return [];
  const money = moneyOf(parts, given.report.summary.currency);
  const withoutCost = parts.reduce((sum, part) => sum + part.withoutCost, 0);
  return [messages.deployDialog.units(signedText(above), signedText(below), money, withoutCost)];
}

/** What a deploy would do, in sentences. */
export function consequencesOf(given: Previewed, choices: Choices): string[] {
  const { unresolved, late } = given.report.exceptions;
  const waiting = unresolved + late;
  const { change, stay } = sumSentences(given.preview, choices);
  return [
    change,
    ...unitSentences(given, choices),
    ...stay,
    ...scopeSentences(given),
    ...(waiting === 0 ? [] : [messages.deployDialog.exceptions(waiting)]),
    ...(choices.stock ? [messages.zeroing.staysStocked] : []),
    messages.deployDialog.rollbackLater,
  ];
}
