import { type OrderedProduct, type ReportSummary, unitsMovedAfterCount } from "@stocktake/contract";
import { hasLainStill, type ReportContext } from "../counting-time.ts";
import { inReportOrder } from "../report-order.ts";
import { presentRow } from "../report-rules.ts";
import type { ReportRow } from "../rows/report-row-queries.ts";

const firstNamed = 5;

/** Tells, row by row, which have moved in Shopify after they were counted, whether the view shows them or not. */
export class MovedAfterCount {
  private readonly context: ReportContext;
  private readonly moved: OrderedProduct[] = [];
  private units = 0;
  private isCertain = true;

  constructor(context: ReportContext) {
    this.context = context;
  }

  add(row: ReportRow): void {
    const { basis, deployed } = this.context;
    if (basis !== "end" || deployed || hasLainStill(row)) return;
    const item = presentRow(row, this.context);
    const units = unitsMovedAfterCount(item, basis);
    if (units === 0) return;
    const { productTitle, size, sku, varianceAtCount } = item;
    this.moved.push({ productTitle, size, sku });
    this.units += units;
    if (varianceAtCount.low !== varianceAtCount.high) this.isCertain = false;
  }

  /** What of a summary speaks of them; nothing where there are none. */
  async summary(): Promise<Pick<ReportSummary, "movedAfterCount">> {
    if (this.moved.length === 0) return {};
    const first = (await inReportOrder(this.moved)).slice(0, firstNamed);
    return {
      movedAfterCount: {
        items: this.moved.length,
        units: this.units,
        isCertain: this.isCertain,
        firstSkus: first.map(({ sku }) => sku),
      },
    };
  }
}
