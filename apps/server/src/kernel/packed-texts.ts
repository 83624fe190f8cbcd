/** Enough that a piece is worth its own bytes, and few enough to be packed in a moment. */
const textsPerPiece = 1_000;

interface Piece {
  readonly bytes: Buffer;
  /** Where each text begins, and where the last one ends. */
  readonly starts: Uint32Array;
}

/**
 * Many short texts as bytes outside of the heap, each read by its number: a hundred thousand strings that stay for long are what every
 * collection of garbage goes through, and what the heap grows by half as much again for. Half a surrogate pair reads back as U+FFFD, as it
 * does wherever text becomes UTF-8.
 */
export class PackedTexts {
  private readonly pieces: Piece[] = [];
  /** Those that make no whole piece yet. */
  private rest: string[] = [];

  get length(): number {
    return this.pieces.length * textsPerPiece + this.rest.length;
  }

  /** Returns the number that it is read by: the first one's is 0. */
  add(text: string): number {
    const number = this.length;
    this.rest.push(text);
    if (this.rest.length === textsPerPiece) {
      this.pieces.push(pack(this.rest));
      this.rest = [];
    }
    return number;
  }

  /** @throws RangeError for a number that no text has. */
  at(number: number): string {
    return this.bytesAt(number).toString();
  }

  /** The same as UTF-8, to be read alone. */
  bytesAt(number: number): Buffer {
    const place = number % textsPerPiece;
    const piece = this.pieces[(number - place) / textsPerPiece];
    if (piece !== undefined) return piece.bytes.subarray(piece.starts[place], piece.starts[place + 1]);
    const text = this.rest[number - this.pieces.length * textsPerPiece];
    if (text === undefined) throw new RangeError(`There is no text ${number} of ${this.length}.`);
    return Buffer.from(text);
  }
}

function pack(texts: readonly string[]): Piece {
  const all = texts.join("");
  const bytes = Buffer.byteLength(all);
  // Of ASCII alone, as most are, a text has as many bytes as units, and all of them are written at once.
  return bytes === all.length ? packAtOnce(texts, all) : packEach(texts);
}

function packAtOnce(texts: readonly string[], all: string): Piece {
  const starts = startsBy(texts, (text) => text.length);
  // A block of its own: one of the pool that small buffers share would keep all of that.
  const bytes = Buffer.allocUnsafeSlow(all.length);
  bytes.write(all, "latin1");
  return { bytes, starts };
}

function packEach(texts: readonly string[]): Piece {
  const starts = startsBy(texts, (text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafeSlow(starts.at(-1) ?? 0);
  for (const [place, text] of texts.entries()) bytes.write(text, starts[place] ?? 0);
  return { bytes, starts };
}

function startsBy(texts: readonly string[], lengthOf: (text: string) => number): Uint32Array {
  const starts = new Uint32Array(texts.length + 1);
  let end = 0;
  for (let place = 0; place < texts.length; place += 1) {
    end += lengthOf(texts[place] ?? "");
    starts[place + 1] = end;
  }
  return starts;
}
