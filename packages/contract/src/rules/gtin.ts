const gtinPattern = /^(?:\d{8}|\d{12,14})$/;

/** The check digit of GS1's General Specifications, 7.9: weights 3 and 1 from the right over all digits but the last. */
function hasValidCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length - 1; index += 1) {
    const weight = (digits.length - index) % 2 === 0 ? 3 : 1;
    sum += Number(digits[index]) * weight;
  }
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1));
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
