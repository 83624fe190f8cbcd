import { countText, quantityText, signedMoneyText, signedText } from "../../../ui/formats.ts";
import type { DeployPreview, Report } from "../api.ts";
import { messages } from "../messages.ts";
import { movingShare, neverCountedShare, type ReportShare } from "../summary/report-shares.ts";

/** A report, and what its deploy would do now. */
export interface Previewed {
  readonly report: Report;
  readonly preview: DeployPreview;
}

function scopeSentences({ report, preview }: Previewed): string[] {
  if (report.session.scope === "partial") return [messages.deployDialog.partialScope];
  const { uncounted, skipped, zeroed } = preview;
  // Among what is left out there may be what was never counted.
  const isEverythingCounted = uncounted.items === 0 && skipped.length === 0;
  const areas = zeroed === "always" ? messages.deployDialog.noOpenAreas : messages.deployDialog.noAreas;
  return [
    ...(isEverythingCounted ? [messages.deployDialog.everythingCounted] : []),
    ...(report.session.openAreas.length === 0 ? [areas] : []),
  ];
}

/** What is chosen in the dialog. */
export interface Choices {
  readonly zero: boolean;
  readonly stock: boolean;
}

/** How many SKUs would change and stay, which together are all that differ. */
function sumsOf(preview: DeployPreview, { zero, stock }: Choices) {
  const { totalAdjustments, uncounted, skipped, found, zeroed } = preview;
  const left = zeroed === "by_choice" ? uncounted.items : 0;
  const stocked = stock ? found.items : 0;
  return {
    changing: totalAdjustments + stocked + (zero ? left : 0),
    uncounted: zero ? 0 : left,
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

/** What Shopify has less than nothing of and nobody counted: it rises to zero. Null where it is to stay. */
function raisedToZero(report: Report, { zero }: Choices): ReportShare | null {
  if (!zero) return null;
  const items = report.items.filter(
    ({ variance, skipReason }) => variance > 0 && skipReason === "NOT_COUNTED",
  );
  return neverCountedShare({ ...report, items });
}

/** In units and money, as the report has it: unsaid where Shopify has just been found to have something else. */
function unitSentences({ report, preview }: Previewed, choices: Choices): string[] {
  const { zero, stock } = choices;
  const share = movingShare(report);
  if (share.items !== preview.totalAdjustments) return [];
  const { uncounted, found } = preview;
  const raised = raisedToZero(report, choices);
  const above = share.above + (stock ? found.units : 0) + (raised?.above ?? 0);
  const below = share.below - (zero ? uncounted.units : 0);
  if (above === 0 && below === 0) return [];
  const zeroed = zero ? uncounted.cost : 0;
  const withoutCost = share.withoutCost + (zero ? uncounted.withoutCost : 0) + (stock ? found.items : 0);
  const money =
    share.cost !== null && zeroed !== null && withoutCost === 0
      ? signedMoneyText(share.cost - zeroed + (raised?.cost ?? 0), report.summary.currency)
      : null;
  return [messages.deployDialog.units(signedText(above), signedText(below), money)];
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
