import { type FileRecord, sha256Of } from "./lines.ts";

/** Names the form in which an entry of the audit log was hashed (docs/AUDIT.md). */
const entryFormat = "stocktake-audit-1";

/** The fields that an entry's hash is made of, in their order. */
const hashed = [
  ...["chain", "position", "at", "actorKind", "actorId", "actorName", "action"],
  ...["subjectKind", "subjectId", "subjectName", "before", "after", "previousHash"],
] as const;

/** JSON without white space, the keys of objects sorted by their UTF-16 code units (RFC 8785). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(Reflect.get(value, key))}`).join()}}`;
}

/** What is wrong with the log's entries, told of each by its place in the log. */
export class LogCheck {
  readonly hashes = new Map<string, FileRecord>();
  /** Which of `hashes` is the first with a fault, counted from 0: from there on none vouches for the log. Infinity where all hold. */
  firstFaulty = Number.POSITIVE_INFINITY;
  #last: string | null = null;
  #position = 0;

  /** Takes the next entry; returns what is wrong with it, or null. */
  async take(entry: FileRecord): Promise<string | null> {
    this.#position += 1;
    const hash = String(entry.hash);
    const made = await sha256Of(canonical([entryFormat, ...hashed.map((field) => entry[field] ?? null)]));
    const fault = this.#faultOf(entry, made === hash);
    this.#last = hash;
    if (fault !== null) this.firstFaulty = Math.min(this.firstFaulty, this.hashes.size);
    // One that repeats a hash must not take the place of the entry that had it.
    if (!this.hashes.has(hash)) this.hashes.set(hash, entry);
    return fault;
  }

  #faultOf(entry: FileRecord, isWhole: boolean): string | null {
    if (!isWhole) return "its content is not what its hash was made of";
    if (entry.position !== this.#position) return `it should be entry ${this.#position}`;
    if (entry.previousHash !== this.#last) return "it does not carry the hash of the entry before it";
    return null;
  }
}
