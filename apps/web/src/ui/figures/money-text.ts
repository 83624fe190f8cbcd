import { noneText } from "../formats.ts";

const wordJoiner = "\u2060";

/** A line may break between a hyphen and a letter: a sum in "CHF" would leave its sign behind. */
function withSignKept(sum: string): string {
  return sum.replace(/^-(?=\p{L})/u, `-${wordJoiner}`);
}

/** Unknown money is a dash. */
export function moneyText(value: number | null, currency: string): string {
  if (value === null) return noneText;
  return withSignKept(new Intl.NumberFormat(undefined, { style: "currency", currency }).format(value));
}

/** How sums of a currency are written, for many of them: with their sign; unknown money is a dash. */
export function signedMoneyFormat(currency: string): (value: number | null) => string {
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency, signDisplay: "exceptZero" });
  return (value) => (value === null ? noneText : withSignKept(format.format(value)));
}

/** Money with its sign; unknown money is a dash. */
export function signedMoneyText(value: number | null, currency: string): string {
  return signedMoneyFormat(currency)(value);
}
