import type { NeverCountedRow } from "@stocktake/contract";
import { moneyText } from "../../ui/figures/money-text.ts";
import { partsText, quantityText } from "../../ui/formats.ts";
import { searchTexts } from "../../ui/searches/search-messages.ts";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { tickColumn } from "../../ui/ticking/tick-column.tsx";
import type { Ticking } from "../../ui/ticking/ticking.ts";
import { messages } from "./messages.ts";
import classes from "./searches.module.css";

const { neverCounted: texts } = messages;

interface NeverCountedRowsProps {
  readonly rows: readonly NeverCountedRow[];
  readonly currency: string;
  readonly ticking: Ticking;
}

const nameOf = ({ productTitle, size, sku }: NeverCountedRow) => partsText(productTitle, size, sku);

/** What nobody has counted, to be ticked. */
export function NeverCountedRows({ rows, currency, ticking }: NeverCountedRowsProps) {
  return (
    <QuietTable
      label={texts.table}
      rows={rows}
      keyOf={({ sku }) => sku}
      columns={[
        tickColumn<NeverCountedRow>({
          header: texts.product,
          ticking,
          label: ({ productTitle, size, sku }) => (
            <>
              {partsText(productTitle, size)} <span className={classes.code}>{sku}</span>
            </>
          ),
          boxName: (row) => texts.select(nameOf(row)),
        }),
        {
          header: texts.brandHeader,
          cell: ({ vendor, productType }) => partsText(vendor || null, productType || null),
        },
        { header: texts.onHand, numeric: true, cell: ({ onHand }) => quantityText(onHand) },
        {
          header: texts.worth,
          numeric: true,
          cell: ({ worth }) => (worth === null ? texts.unknownCost : moneyText(worth, currency)),
        },
        {
          header: texts.search,
          cell: ({ search }) => (search === null ? texts.notAsked : searchTexts.states[search]),
        },
      ]}
    />
  );
}
