import type { Product } from "@stocktake/contract";
import type { HeldProducts } from "../../../offline/offline.ts";
import { folded } from "../../../ui/search/holds-words.ts";

/** Products by the words of their title, size and SKU, without the network. */
export interface ProductSearch {
  /** Those that hold every word, the likeliest first, at most so many. */
  find(search: string, limit: number): Product[];
}

const notOfWords = /[^\p{L}\p{N}]+/gu;

function wordsOf(text: string): string[] {
  return folded(text)
    .split(notOfWords)
    .filter((word) => word !== "");
}

/** Every word between spaces, so that the beginning and the end of a word can be looked for. */
function lineOf({ productTitle, size, sku }: Product): string {
  return ` ${wordsOf(`${productTitle} ${size ?? ""} ${sku}`).join(" ")} `;
}

/** Of "m" or "38" is a size meant, or the beginning of a word; in the middle of words it is everywhere. */
const shortWord = 2;

const wholeWhereShort = (word: string) => (word.length <= shortWord ? ` ${word} ` : word);
const anywhere = (word: string) => (word.length <= shortWord ? ` ${word}` : word);

/** All lines as one text: the engine's own search through it is faster than any look at product after product. */
interface SearchText {
  readonly text: string;
  /** Where each line begins. */
  readonly starts: Uint32Array;
}

/** The line that a position is in, sought from one before it in ever longer steps: mostly it is near. */
function lineAt(starts: Uint32Array, position: number, from: number): number {
  let [low, step] = [from, 1];
  while ((starts[low + step] ?? Number.POSITIVE_INFINITY) <= position) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, starts.length);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low;
}

/** The first line from `from` on that holds all of the texts; null where none does. */
function nextLine({ text, starts }: SearchText, wanted: readonly string[], from: number): number | null {
  let line = from;
  let agreeing = 0;
  for (let turn = 0; agreeing < wanted.length; turn += 1) {
    const start = starts[line];
    if (start === undefined) return null;
    const position = text.indexOf(wanted[turn % wanted.length] ?? "", start);
    if (position < 0) return null;
    const found = lineAt(starts, position, line);
    // The words before this one have to be looked for again from a later line.
    agreeing = found === line ? agreeing + 1 : 1;
    line = found;
  }
  return line;
}

/** Adds lines that hold all of the texts, until there are so many. */
function collect(lines: Set<number>, searched: SearchText, wanted: readonly string[], limit: number): void {
  let line = nextLine(searched, wanted, 0);
  while (line !== null && lines.size < limit) {
    lines.add(line);
    line = nextLine(searched, wanted, line + 1);
  }
}

/** A size as it is called comes before words that begin with it; of the rest, what has been typed to its end comes first. */
function findLines(searched: SearchText, search: string, limit: number): number[] {
  const lines = new Set<number>();
  const words = wordsOf(search);
  if (words.length === 0) return [];
  const isShortMeant = words.some((word) => word.length <= shortWord);
  // Where the wider reading finds nothing, the narrower one needs no look.
  if (isShortMeant && nextLine(searched, words.map(anywhere), 0) !== null)
    collect(lines, searched, words.map(wholeWhereShort), limit);
  if (lines.size < limit) collect(lines, searched, words.map(anywhere), limit);
  const { text, starts } = searched;
  const wholeIn = (line: number) => {
    const held = text.slice(starts[line], starts[line + 1]);
    return words.filter((word) => held.includes(` ${word} `)).length;
  };
  const whole = new Map([...lines].map((line) => [line, wholeIn(line)]));
  return [...lines].sort((left, right) => (whole.get(right) ?? 0) - (whole.get(left) ?? 0));
}

/** Few enough to be read between two keystrokes. */
const blockRows = 500;

/** Reads the products a block at a time and lets the page do what it has to in between. */
export async function readProductSearch(
  held: HeldProducts,
  pause: () => Promise<void>,
): Promise<ProductSearch> {
  const lines: string[] = [];
  for (let from = 0; from < held.productCount; from += blockRows) {
    for (const product of held.slice(from, from + blockRows)) lines.push(lineOf(product));
    await pause();
  }
  const starts = new Uint32Array(lines.length);
  for (const [line, text] of lines.slice(0, -1).entries())
    starts[line + 1] = (starts[line] ?? 0) + text.length + 1;
  const searched = { text: lines.join("\n"), starts };
  return {
    find: (search, limit) => findLines(searched, search, limit).flatMap((line) => held.slice(line, line + 1)),
  };
}
