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
