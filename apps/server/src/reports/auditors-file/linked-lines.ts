import { createHash } from "node:crypto";

/** What the first line of a file is linked to: it names the form of the file. */
const fileFormat = "stocktake-file-1";

/** One thing that the file says; `is` names what it is. */
export interface FileRecord {
  readonly is: string;
  readonly [field: string]: unknown;
}

/** The lines of an auditor's file, each linked to the one before it (docs/AUDITORS-FILE.md). */
export class LinkedLines {
  #hash: string = fileFormat;
  #count = 0;

  /** The hash of the last line, as 64 hexadecimal digits. */
  get hash(): string {
    return this.#hash;
  }

  /** How many lines there are by now. */
  get count(): number {
    return this.#count;
  }

  /** The records' lines, each ended by a line feed. */
  textOf(records: readonly FileRecord[]): string {
    return records.map((record) => this.#lineOf(JSON.stringify(record))).join("");
  }

  #lineOf(json: string): string {
    this.#hash = createHash("sha256").update(`${this.#hash} ${json}`, "utf8").digest("hex");
    this.#count += 1;
    return `${this.#hash} ${json}\n`;
  }
}
