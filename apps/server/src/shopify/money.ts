import { exactCents } from "../kernel/money.ts";

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * A decimal text such as "12.5" as integer hundredths, 1250, without floating point; further places are
 * rounded half away from zero. Null for an amount that is too large to be worked with exactly. Throws a RangeError for
 * anything that is not a plain decimal number.
 */
export function centsOf(amount: string): number | null {
  const [matched, sign, whole = "", fraction = ""] = decimalPattern.exec(amount) ?? [];
  if (matched === undefined) throw new RangeError(`${JSON.stringify(amount)} is not an amount of money.`);
  const hundredths = BigInt(whole + fraction.slice(0, 2).padEnd(2, "0"));
  const cents = hundredths + (fraction.charAt(2) >= "5" ? 1n : 0n);
  return exactCents(sign === "-" ? -cents : cents);
}
