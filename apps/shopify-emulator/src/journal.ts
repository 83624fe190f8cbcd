import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { StoreEvent } from "./events.ts";

const FORMAT = "stocktake-shopify-emulator-1";

interface Header {
  readonly format: string;
  readonly fingerprint: string;
  /** When the catalogue was loaded, in milliseconds since 1970. */
  readonly startedAt: number;
}

export interface OpenedJournal {
  readonly journal: Journal;
  readonly startedAt: number;
  /** What happened since then, in order. */
  readonly events: readonly StoreEvent[];
}

/**
 * The shop's state as a file: a header line, then one line for each event. A line is written before the
 * call that caused it has its reply, so that a process killed at any moment has lost nothing it confirmed; a
 * line that was cut off is dropped at the next start.
 */
export class Journal {
  private readonly path: string;
  private descriptor: number;

  private constructor(path: string, descriptor: number) {
    this.path = path;
    this.descriptor = descriptor;
  }

  /** Opens or begins the file. Throws an Error for people where it belongs to another catalogue. */
  static open(path: string, fingerprint: string, now: number): OpenedJournal {
    if (!existsSync(path)) begin(path, { format: FORMAT, fingerprint, startedAt: now });
    const content = readFileSync(path);
    const whole = content.subarray(0, content.lastIndexOf("\n") + 1);
    const [first = "", ...rest] = whole.toString("utf8").split("\n").filter(Boolean);
    const header = readHeader(first, path);
    if (header.fingerprint !== fingerprint) {
      throw new Error(
        `${path} keeps the stock of the catalogue ${header.fingerprint}, not of ${fingerprint}. Start with that catalogue, or remove the file to begin anew.`,
      );
    }
    const descriptor = openSync(path, "r+");
    ftruncateSync(descriptor, whole.length);
    closeSync(descriptor);
    const events = rest.map((line): StoreEvent => JSON.parse(line));
    return { journal: new Journal(path, openSync(path, "a")), startedAt: header.startedAt, events };
  }

  append(event: StoreEvent): void {
    writeSync(this.descriptor, `${JSON.stringify(event)}\n`);
  }

  /** Forgets everything that happened, for a shop that starts over. */
  restart(fingerprint: string, now: number): void {
    closeSync(this.descriptor);
    begin(this.path, { format: FORMAT, fingerprint, startedAt: now });
    this.descriptor = openSync(this.path, "a");
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

function begin(path: string, header: Header): void {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.new`;
  writeFileSync(fresh, `${JSON.stringify(header)}\n`);
  renameSync(fresh, path);
}

function readHeader(line: string, path: string): Header {
  try {
    const header: Header = JSON.parse(line);
    if (header.format === FORMAT) return header;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Error(`${path} is not a state file of this emulator. Name another file, or remove it.`);
}
