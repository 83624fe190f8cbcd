const gtinPattern = /^(?:\d{8}|\d{12,14})$/;

/** The check digit of GS1's General Specifications, 7.9: weights 3 and 1 from the right over all digits but the last. */
function hasValidCheckDigit(digits: string): boolean {
  // Every barcode of a catalogue comes through here: character codes are several times faster than numbers from text.
  const digitAt = (index: number) => digits.charCodeAt(index) - 48;
  const last = digits.length - 1;
  let sum = 0;
  for (let index = 0; index < last; index += 1) sum += digitAt(index) * ((last - index) % 2 === 0 ? 1 : 3);
  return (10 - (sum % 10)) % 10 === digitAt(last);
}

/**
 * A barcode as a GTIN of 14 digits (GTIN-8, UPC-A, EAN-13 and GTIN-14 padded with zeros on the left),
 * or null when it is not a GTIN: another length, not digits only, or a wrong check digit.
 */
export function asGtin14(barcode: string): string | null {
  const trimmed = barcode.trim();
  return gtinPattern.test(trimmed) && hasValidCheckDigit(trimmed) ? trimmed.padStart(14, "0") : null;
}

/** Two barcodes are the same when their keys are: as GTINs where they are GTINs, else as trimmed text. */
export function barcodeKey(barcode: string): string {
  return asGtin14(barcode) ?? `text:${barcode.trim()}`;
}
