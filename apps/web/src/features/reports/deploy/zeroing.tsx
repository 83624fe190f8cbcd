import { Stack, Text, TextInput } from "@mantine/core";
import type { ZeroedStock } from "@stocktake/contract";
import { moneyText } from "../../../ui/figures/money-text.ts";
import { countText } from "../../../ui/formats.ts";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import type { DeployPreview } from "../api.ts";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";
import type { toConfirm } from "./consequences.ts";

type Uncounted = DeployPreview["uncounted"];

/** The uncounted stock in SKUs, units and money. */
export function uncountedText(stock: ZeroedStock, currency: string): string {
  const { items, units, cost, withoutCost } = stock;
  const raised = raisedText(stock);
  const onHand = items - (stock.belowZero?.items ?? 0);
  if (onHand === 0 && raised !== "") return raised;
  const unknown = withoutCost === 0 ? "" : `, plus ${countText(withoutCost, "SKU", "SKUs")} without a cost`;
  const what = `${countText(onHand, "SKU", "SKUs")} with ${countText(units, "unit", "units")} on hand`;
  return `${what}, worth ${moneyText(cost, currency)}${unknown}${raised === "" ? "" : `, and ${raised}`}`;
}

/** What goes to zero from below it; empty where nothing does. */
function raisedText({ belowZero }: ZeroedStock): string {
  if (belowZero === undefined) return "";
  return messages.zeroing.raised(
    countText(belowZero.items, "SKU", "SKUs"),
    countText(belowZero.units, "unit", "units"),
  );
}

/** Whether what is typed confirms that these units go to zero; so it does where no confirmation is wanted. */
export function isConfirmed(units: number | null, typed: string): boolean {
  // The number is shown with separators, and may be typed as it is shown.
  return units === null || typed.replaceAll(/[\s,.'’]/g, "") === String(units);
}

function UncountedPart({ uncounted, currency }: { uncounted: Uncounted; currency: string }) {
  const { largest } = uncounted;
  return (
    <>
      <Text fw={600}>{messages.zeroing.willBeZero(uncountedText(uncounted, currency))}</Text>
      {largest.length === 0 ? null : (
        <QuietTable
          label={messages.zeroing.largest(largest.length)}
          rows={largest}
          keyOf={(row) => row.sku}
          columns={[
            {
              header: messages.zeroing.largest(largest.length),
              label: messages.zeroing.sku,
              cell: (row) => (
                <div className={classes.stacked}>
                  <span className={classes.code}>{row.sku}</span>
                  <span className={classes.note}>
                    {[row.productTitle, row.size].filter((part) => part !== null && part !== "").join(", ")}
                  </span>
                </div>
              ),
            },
            { header: messages.zeroing.units, numeric: true, cell: (row) => row.units },
            {
              header: messages.zeroing.worth,
              numeric: true,
              cell: (row) =>
                row.cost === null ? messages.zeroing.unknownCost : moneyText(row.cost, currency),
            },
          ]}
        />
      )}
    </>
  );
}

interface ZeroingProps {
  readonly zeroed: ReturnType<typeof toConfirm>;
  readonly currency: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}

/** What goes to zero without having been counted, the ten that are worth most, and the number that confirms it. */
export function Zeroing({ zeroed, currency, typed, onType }: ZeroingProps) {
  const { uncounted, units } = zeroed;
  return (
    <Stack gap="sm">
      {uncounted === null || uncounted.items === 0 ? null : (
        <UncountedPart uncounted={uncounted} currency={currency} />
      )}
      {units === null ? null : (
        <TextInput
          label={messages.zeroing.typeUnits}
          description={messages.zeroing.typeUnitsNote}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          error={typed === "" || isConfirmed(units, typed) ? null : messages.zeroing.otherUnits}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      )}
    </Stack>
  );
}
