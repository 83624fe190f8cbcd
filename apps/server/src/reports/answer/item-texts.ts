import type { OrderedProduct, ReportItem } from "@stocktake/contract";
import { PackedTexts } from "../../kernel/packed-texts.ts";
import { inReportOrder } from "../report-order.ts";

/** Some hundred kilobytes. */
const rowsPerPiece = 250;

interface Place extends OrderedProduct {
  /** Of its text. */
  readonly number: number;
}

/**
 * The rows of a report as JSON, in the bytes that are sent: what is kept of each is its text and what its place in the order depends on. A
 * hundred thousand of them are 47 MB outside of what is collected as garbage, instead of four times as much inside.
 */
export class ItemTexts {
  private readonly texts = new PackedTexts();
  private readonly places: Place[] = [];
  /** Rows share the texts of their product and its sizes. */
  private readonly known = new Map<string, string>();

  add(item: ReportItem): void {
    const { productTitle, size, sku } = item;
    this.places.push({
      productTitle: this.shared(productTitle),
      size: size === null ? null : this.shared(size),
      sku,
      number: this.texts.add(JSON.stringify(item)),
    });
  }

  /** In the report's order and separated by commas, piece by piece as its reader takes them. */
  async pieces(): Promise<Iterable<Buffer>> {
    return piecesOf(await inReportOrder(this.places), this.texts);
  }

  private shared(text: string): string {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    this.known.set(text, text);
    return text;
  }
}

const comma = Buffer.from(",");

function* piecesOf(places: readonly Place[], texts: PackedTexts): Generator<Buffer> {
  for (let begin = 0; begin < places.length; begin += rowsPerPiece) {
    const parts: Buffer[] = [];
    for (const { number } of places.slice(begin, begin + rowsPerPiece)) {
      if (begin > 0 || parts.length > 0) parts.push(comma);
      parts.push(texts.bytesAt(number));
    }
    yield Buffer.concat(parts);
  }
}
