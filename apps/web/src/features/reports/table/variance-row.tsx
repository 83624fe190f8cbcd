import { leftAloneText, otherSessionsText, type ReportItem, searchMessages } from "@stocktake/contract";
import type { ReactNode } from "react";
import { noneText, quantityText, signedText, varianceColor } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import { type Swap, swapText } from "../swaps/swaps.ts";
import { isNotCounted } from "./report-filter.ts";
import { titleOf } from "./report-groups.ts";
import rowButton from "./row-button.module.css";
import { moveBetweenRows } from "./row-focus.ts";
import classes from "./variance-table.module.css";

interface CellProps {
  readonly label: string;
  readonly strong?: boolean;
  readonly money?: boolean;
  readonly colour?: string | undefined;
  readonly children: ReactNode;
}

function NumberCell({ label, strong = false, money = false, colour, children }: CellProps) {
  return (
    <td
      data-label={label}
      className={`${classes.numeric} ${strong ? classes.strong : ""} ${money ? classes.money : ""}`}
      style={{ color: colour }}
    >
      {children}
    </td>
  );
}

/** Where stock moved during the count, the variance at the moment of counting differs from the one at the end. */
function varianceAtCountText({ variance, varianceAtCount: { low, high } }: ReportItem): string | null {
  if (low === variance && high === variance) return null;
  return low === high
    ? `When counted: ${signedText(low)}`
    : `When counted: ${signedText(low)} to ${signedText(high)}`;
}

/** Why a figure is uncertain, and what becomes of it. */
function uncertainRemark(item: ReportItem, deployed: boolean): string | null {
  if (item.uncertain === null) return null;
  return `${messages.uncertain.why(item)} – ${outcomeOfDoubt(item, deployed)}`;
}

function outcomeOfDoubt(item: ReportItem, deployed: boolean): string {
  const { uncertain } = messages;
  if (item.included) return uncertain.included;
  if (!deployed) return uncertain.waiting;
  return item.deployed === 0 ? uncertain.notDeployed : uncertain.foundLater;
}

function skipRemark(item: ReportItem, deployed: boolean): string | null {
  const { skipReason, uncertain } = item;
  const others = otherSessionsText(item);
  if (skipReason === null) return others === null ? null : capitalized(others);
  if (skipReason === uncertain) return null;
  const own = (skipReason === "LEFT_ALONE" ? leftAloneText(item) : null) ?? messages.skipReasons[skipReason];
  const reason = others === null ? own : capitalized(others);
  return `${reason} – ${deployed ? "not deployed" : "won't be deployed"}`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function remarksOf(item: ReportItem, deployed: boolean): string[] {
  const skipped = skipRemark(item, deployed);
  return [
    ...(item.manual ? ["Adjusted by hand"] : []),
    ...(item.deployed === 0 ? [] : [`Deployed ${signedText(item.deployed)}`]),
    ...(skipped === null ? [] : [skipped]),
    ...(item.search === undefined ? [] : [capitalized(searchMessages[item.search])]),
    ...(item.variance !== 0 && item.naturalMovement !== 0 ? ["Stock moved during the count"] : []),
  ];
}

/** Leads to what the row is likely swapped with. */
function SwapLink({ item, swap, onSwap }: Pick<VarianceRowProps, "item" | "swap" | "onSwap">) {
  if (swap === null) return null;
  return (
    <button type="button" className={rowButton.swap} onClick={() => onSwap(item.sku)}>
      {swapText(swap, item)}
    </button>
  );
}

type ProductCellProps = Pick<VarianceRowProps, "item" | "deployed" | "isAlone" | "swap" | "onSwap">;

function ProductCell({ item, deployed, isAlone, swap, onSwap }: ProductCellProps) {
  const uncertain = uncertainRemark(item, deployed);
  const isOpen = !(item.included || deployed);
  return (
    <td className={classes.product}>
      {isAlone ? <span className={classes.productTitle}>{titleOf(item)}</span> : null}
      <span className={classes.size}>{item.size === null || item.size === "" ? "No size" : item.size}</span>
      {uncertain === null ? null : (
        <span className={`${classes.remark} ${isOpen ? classes.doubt : ""}`}>{uncertain}</span>
      )}
      {remarksOf(item, deployed).map((remark) => (
        <span key={remark} className={classes.remark}>
          {remark}
        </span>
      ))}
      <SwapLink item={item} swap={swap} onSwap={onSwap} />
    </td>
  );
}

interface VarianceCellsProps {
  readonly item: ReportItem;
  readonly moneyText: (value: number | null) => string;
}

function StockCells({ item }: { item: ReportItem }) {
  const isEndKnown = item.withoutEndStock !== true;
  return (
    <>
      <NumberCell label="Start ON_HAND">{quantityText(item.startOnHand)}</NumberCell>
      <NumberCell label="End ON_HAND">{isEndKnown ? quantityText(item.endOnHand) : noneText}</NumberCell>
      <NumberCell label="Natural Movement">
        {isEndKnown ? signedText(item.naturalMovement) : noneText}
      </NumberCell>
      <NumberCell label="Counted" strong>
        {quantityText(item.counted)}
        {isNotCounted(item) ? <span className={classes.remark}>{messages.notCounted}</span> : null}
      </NumberCell>
    </>
  );
}

function VarianceCells({ item, moneyText }: VarianceCellsProps) {
  const atCount = varianceAtCountText(item);
  return (
    <>
      <NumberCell label="Variance" strong colour={varianceColor(item.variance)}>
        {signedText(item.variance)}
        {atCount === null ? null : <span className={classes.remark}>{atCount}</span>}
      </NumberCell>
      <NumberCell label="Cost Impact" money colour={varianceColor(item.costImpact)}>
        {moneyText(item.costImpact)}
      </NumberCell>
    </>
  );
}

interface VarianceRowProps extends VarianceCellsProps {
  /** No product's heading is above it, so that it names its product itself. */
  readonly isAlone: boolean;
  readonly deployed: boolean;
  readonly onAdjust: (item: ReportItem) => void;
  readonly onInclude: (item: ReportItem) => void;
  /** Opens what says why the row is what it is. */
  readonly onExplain: (sku: string) => void;
  /** What it was likely counted as, or what was counted as it. */
  readonly swap: Swap | null;
  readonly onSwap: (sku: string) => void;
}

/** Lets a deploy apply an uncertain count as it is, or leaves it out again. */
function IncludeButton({
  item,
  deployed,
  onInclude,
}: Pick<VarianceRowProps, "item" | "deployed" | "onInclude">) {
  const label = item.included ? messages.uncertain.leaveOut : messages.uncertain.include;
  return (
    <button
      type="button"
      className={rowButton.adjust}
      disabled={deployed}
      onClick={() => onInclude(item)}
      aria-label={`${label}: ${item.sku}`}
    >
      {label}
    </button>
  );
}

/** The cells of one SKU. */
export function VarianceRowCells({
  item,
  moneyText,
  isAlone,
  deployed,
  onAdjust,
  onInclude,
  onExplain,
  swap,
  onSwap,
}: VarianceRowProps) {
  return (
    <>
      <ProductCell item={item} deployed={deployed} isAlone={isAlone} swap={swap} onSwap={onSwap} />
      <td data-label="SKU" className={classes.sku}>
        <button
          type="button"
          className={rowButton.explain}
          data-sku={item.sku}
          aria-haspopup="dialog"
          onClick={() => onExplain(item.sku)}
          onKeyDown={moveBetweenRows}
        >
          {item.sku}
        </button>
      </td>
      <StockCells item={item} />
      <VarianceCells item={item} moneyText={moneyText} />
      <td data-label="Areas Found" className={classes.areas}>
        {item.areas.length === 0 ? noneText : item.areas.join(", ")}
      </td>
      <td className={`${classes.action} ${classes.numeric}`}>
        {/* A plain button: of all that a row is made of, the component library's took longest while scrolling. */}
        <button
          type="button"
          className={rowButton.adjust}
          disabled={deployed}
          onClick={() => onAdjust(item)}
          aria-label={`${messages.adjust} of ${item.sku}`}
        >
          {messages.adjust}
        </button>
        {item.uncertain === null ? null : (
          <IncludeButton item={item} deployed={deployed} onInclude={onInclude} />
        )}
      </td>
    </>
  );
}
