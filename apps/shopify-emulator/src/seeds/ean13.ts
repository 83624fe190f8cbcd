/** The check digit of GS1 numbers: digits weighted 3 and 1 in turn from the right. */
export function checkDigit(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    sum += place % 2 === 0 ? digit * 3 : digit;
  }
  return (10 - (sum % 10)) % 10;
}

/**
 * An EAN-13 of GS1's range for use inside one company (it begins with 2), so that no real company's number
 * is used; the number fills up to ten digits.
 */
export function inStoreEan13(number: number): string {
  const digits = `29${String(number).padStart(10, "0")}`;
  return `${digits}${checkDigit(digits)}`;
}

/** The same as a UPC-A of twelve digits, whose range for use inside one company begins with 2 too. */
export function inStoreUpc(number: number): string {
  const digits = `2${String(number).padStart(10, "0")}`;
  return `${digits}${checkDigit(digits)}`;
}
