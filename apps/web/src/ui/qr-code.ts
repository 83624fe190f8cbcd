import { drawingSVG, qrcode } from "bwip-js/browser";

/** A QR code as the address of a picture, black on nothing: what shows it gives it a white ground. */
export function qrCodePicture(text: string): string {
  return `data:image/svg+xml,${encodeURIComponent(qrcode({ bcid: "qrcode", text }, drawingSVG()))}`;
}
