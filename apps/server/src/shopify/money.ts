const decimalPattern = /^(-?)(\d{1,13})(?:\.(\d+))?$/;

/**
 * A decimal text such as "12.5" as integer hundredths, 1250, without floating point; further places are
 * rounded half away from zero. Throws a RangeError for anything that is not a plain decimal number.
 */
export function centsOf(amount: string): number {
  const [matched, sign, whole = "", fraction = ""] = decimalPattern.exec(amount) ?? [];
  if (matched === undefined) throw new RangeError(`${JSON.stringify(amount)} is not an amount of money.`);
  const hundredths = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
  const cents = hundredths + (fraction.charAt(2) >= "5" ? 1 : 0);
  return sign === "-" && cents !== 0 ? -cents : cents;
}
