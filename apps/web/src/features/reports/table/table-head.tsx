import { orderBy, type RowColumn, type RowOrder } from "./row-order.ts";
import heading from "./table-head.module.css";
import classes from "./variance-table.module.css";

interface Column {
  readonly header: string;
  readonly className: string | undefined;
  /** What one list is ordered by when its heading is pressed. */
  readonly orders?: RowColumn;
}

export const columns: readonly Column[] = [
  { header: "Product", className: classes.product, orders: "product" },
  { header: "SKU", className: classes.sku, orders: "sku" },
  { header: "Start ON_HAND", className: classes.numeric, orders: "start" },
  { header: "End ON_HAND", className: classes.numeric, orders: "end" },
  { header: "Natural Movement", className: classes.numeric, orders: "movement" },
  { header: "Counted", className: classes.numeric, orders: "counted" },
  { header: "Variance", className: classes.numeric, orders: "variance" },
  { header: "Cost Impact", className: `${classes.money} ${classes.numeric}`, orders: "cost" },
  { header: "Areas Found", className: classes.areas, orders: "areas" },
  { header: "Actions", className: `${classes.action} ${classes.numeric}` },
];

interface TableHeadProps {
  /** Of rows in one list; null where they are under their products. */
  readonly order: RowOrder | null;
  readonly onOrder: (order: RowOrder) => void;
}

function sortOf({ orders }: Column, order: RowOrder | null) {
  if (order === null || orders === undefined) return undefined;
  // The money at stake is the cost's size, up or down.
  if (orders === "cost" && order.column === "stake") return "other";
  if (orders !== order.column) return "none";
  return order.descending ? "descending" : "ascending";
}

/** The order that pressing a heading leads to: its own, or the other way round. */
function nextOrder(column: RowColumn, order: RowOrder): RowOrder {
  return order.column === column ? { column, descending: !order.descending } : orderBy(column);
}

/** The columns' names; each orders its rows where they are in one list. */
export function TableHead({ order, onOrder }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.header} scope="col" className={column.className} aria-sort={sortOf(column, order)}>
            <Heading column={column} order={order} onOrder={onOrder} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Heading({
  column: { header, orders },
  order,
  onOrder,
}: TableHeadProps & { readonly column: Column }) {
  if (order === null) return header;
  // As high as the headings that can be pressed, so that all of them are on one line.
  if (orders === undefined) return <span className={heading.plain}>{header}</span>;
  return (
    <button type="button" className={heading.heading} onClick={() => onOrder(nextOrder(orders, order))}>
      {header}
    </button>
  );
}
