const letterSizes = ["XXXS", "XXS", "XS", "S", "M", "L", "XL", "XXL", "XXXL", "4XL", "5XL", "6XL"];
const wordSizes = ["ONE SIZE", "UNIVERSAL", "FREE"];
const unknownRank = 999;
const numericSize = /^\d+(?:[.,]\d+)?$/;

/** The rank of a size (specification, section 2): its group, and its value within the group. */
interface SizeRank {
  readonly group: number;
  readonly value: number;
}

function rankOf(size: string | null): SizeRank {
  const word = (size ?? "").trim().toUpperCase();
  const letters = letterSizes.indexOf(word);
  if (letters >= 0) return { group: 0, value: letters };
  if (numericSize.test(word)) return { group: 1, value: Number(word.replace(",", ".")) };
  const words = wordSizes.indexOf(word);
  if (words >= 0) return { group: 2, value: words };
  return { group: unknownRank, value: 0 };
}

/** Orders letter sizes, then numeric sizes by value, then one size, universal and free, then unknown and empty ones. */
export function compareSizes(left: string | null, right: string | null): number {
  const a = rankOf(left);
  const b = rankOf(right);
  return a.group - b.group || a.value - b.value;
}

/** Two steps of a numeric scale: 36 and 38 may be neighbours where a brand has no 37. */
const nextNumber = 2;

/**
 * Whether two sizes of a product are the same or neighbours: on one scale, a step apart (of numbers: two at most), and
 * none of the other sizes between them. Sizes on no scale have no order, so that they are all neighbours.
 */
export function isNextSize(
  left: string | null,
  right: string | null,
  sizes: readonly (string | null)[],
): boolean {
  const [a, b] = [rankOf(left), rankOf(right)];
  if (a.group !== b.group) return false;
  const [lower, upper] = [Math.min(a.value, b.value), Math.max(a.value, b.value)];
  if (upper - lower > (a.group === 1 ? nextNumber : 1)) return false;
  return !sizes.some((size) => {
    const { group, value } = rankOf(size);
    return group === a.group && value > lower && value < upper;
  });
}
