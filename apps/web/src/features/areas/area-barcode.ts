import { areaLabelOf } from "@stocktake/contract";
import { code128, drawingSVG } from "bwip-js/browser";

/** Code 128, which every hand scanner and every phone's camera reads. In millimetres at the printed size. */
const barHeight = 14;

/** The barcode of an area's label as the address of a picture, black on white. */
export function areaBarcode(areaId: string): string {
  const svg = code128({ bcid: "code128", text: areaLabelOf(areaId), height: barHeight }, drawingSVG());
  // Some codes take fewer bars; stretched, every label's are equally wide and high.
  const stretching = svg.replace("<svg ", '<svg preserveAspectRatio="none" ');
  return `data:image/svg+xml,${encodeURIComponent(stretching)}`;
}
