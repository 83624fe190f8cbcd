import { BarcodeDetector, prepareZXingModule } from "barcode-detector/ponyfill";
import wasmAddress from "zxing-wasm/reader/zxing_reader.wasm?url";

/** Reads the barcodes of a picture. */
export interface Decoder {
  /** The codes in view, each as a scanner would type it. */
  read(picture: HTMLVideoElement): Promise<readonly string[]>;
}

/** Where the zeros that UPC-E leaves out go, by its sixth digit (GS1 General Specifications, 5.2.2.4). */
function expandBody(body: string): string {
  const last = Number(body[5]);
  const zeros = (count: number) => "0".repeat(count);
  if (last <= 2) return body.slice(0, 2) + body[5] + zeros(4) + body.slice(2, 5);
  if (last === 3) return body.slice(0, 3) + zeros(5) + body.slice(3, 5);
  if (last === 4) return body.slice(0, 4) + zeros(5) + body.slice(4, 5);
  return body.slice(0, 5) + zeros(4) + body[5];
}

/** A UPC-E code of eight digits as the UPC-A of twelve that it abbreviates, which is what shops store; else as it is. */
export function expandUpcE(code: string): string {
  if (!/^[01]\d{7}$/.test(code)) return code;
  return code.slice(0, 1) + expandBody(code.slice(1, 7)) + code.slice(7);
}

/** Loads the decoder. Rejects where its file can't be had. */
export async function createDecoder(): Promise<Decoder> {
  await prepareZXingModule({
    overrides: {
      locateFile: (path: string, folder: string) => (path.endsWith(".wasm") ? wasmAddress : folder + path),
    },
    fireImmediately: true,
  });
  const detector = new BarcodeDetector({
    formats: ["ean_13", "ean_8", "upc_a", "upc_e", "code_128", "qr_code"],
  });
  return {
    async read(picture) {
      const found = await detector.detect(picture);
      return found.map(({ format, rawValue }) => (format === "upc_e" ? expandUpcE(rawValue) : rawValue));
    },
  };
}
