/** What the first line of a file is linked to: it names the form of the file (docs/AUDITORS-FILE.md). */
const fileFormat = "stocktake-file-1";

const lineFeed = 0x0a;
const hashDigits = 64;

/** What a line says: `is` names what it is. */
export interface FileRecord {
  readonly is: string;
  readonly [field: string]: unknown;
}

/** A line of an auditor's file, as it was found. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** The hash that it carries. */
  readonly hash: string;
  /** Null where it can't be read. */
  readonly record: FileRecord | null;
  /** Its content, with the hash of the line before it, is what its hash was made of. */
  readonly linked: boolean;
}

const utf8 = new TextEncoder();

/** SHA-256 of the bytes, as bytes. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export async function sha256Of(text: string): Promise<string> {
  return hexOf(await sha256(utf8.encode(text)));
}

/** Bytes as hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** The lines of a file as bytes, without their line feeds; what follows the last one is a line too where there is anything. */
async function* linesOf(file: Blob, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let rest: Uint8Array = new Uint8Array();
  let read = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    read += value.length;
    onRead(read);
    const bytes = joined(rest, value);
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      yield bytes.subarray(from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) yield rest;
}

function recordIn(text: string): FileRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is FileRecord {
  return typeof value === "object" && value !== null && "is" in value && typeof value.is === "string";
}

/** Reads a file line by line and recomputes what links each to the one before it. */
export async function* readLines(file: Blob, onRead: (bytes: number) => void): AsyncGenerator<Line> {
  let previous = fileFormat;
  let number = 0;
  for await (const bytes of linesOf(file, onRead)) {
    number += 1;
    const hash = new TextDecoder().decode(bytes.subarray(0, hashDigits));
    const content = bytes.subarray(hashDigits);
    const isOne = content[0] === " ".charCodeAt(0);
    const made = hexOf(await sha256(joined(utf8.encode(previous), content)));
    const record = isOne ? recordIn(new TextDecoder().decode(content.subarray(1))) : null;
    yield { number, hash, record, linked: record !== null && made === hash };
    previous = hash;
  }
}
