import { BarcodeDetector, prepareZXingModule } from "barcode-detector/ponyfill";
import wasmAddress from "zxing-wasm/reader/zxing_reader.wasm?url";
import { typedCode } from "./upc-e.ts";

/** Reads the barcodes of a picture. */
export interface Decoder {
  /** The codes in view, each as a scanner would type it. */
  read(picture: HTMLVideoElement): Promise<readonly string[]>;
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
      return (await detector.detect(picture)).map(typedCode);
    },
  };
}
