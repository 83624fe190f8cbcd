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
 * Tells of some sizes of a product whether two are the same or neighbours: on one scale, a step apart (of numbers: two at most), and
 * none of the other sizes between them. Sizes on no scale have no order, so that they are all neighbours.
 */
export function nextSizesAmong(
  sizes: Iterable<string | null>,
): (left: string | null, right: string | null) => boolean {
  const placed = placesOf(sizes);
  return (left, right) => {
    const [a, b] = [placed.get(left), placed.get(right)];
    if (a === undefined || b === undefined || a.group !== b.group) return false;
    if (Math.abs(a.value - b.value) > (a.group === 1 ? nextNumber : 1)) return false;
    return Math.abs(a.place - b.place) <= 1;
  };
}

/** The rank of each size, and its place among those that differ. */
function placesOf(sizes: Iterable<string | null>): ReadonlyMap<string | null, SizeRank & { place: number }> {
  const ranked = [...new Set(sizes)]
    .map((size) => ({ size, ...rankOf(size) }))
    .sort((one, other) => one.group - other.group || one.value - other.value);
  const placed = new Map<string | null, SizeRank & { place: number }>();
  let place = 0;
  for (const [index, { size, group, value }] of ranked.entries()) {
    const before = ranked[index - 1];
    if (before !== undefined && (before.group !== group || before.value !== value)) place += 1;
    placed.set(size, { group, value, place });
  }
  return placed;
}
