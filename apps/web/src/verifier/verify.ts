import { faultsOfCertificates, type ReadCertificate, readCertificate } from "./certificates.ts";
import { FiguresCheck, faultOfPass } from "./figures.ts";
import { type FileRecord, type Line, readLines } from "./lines.ts";
import { LogCheck } from "./log.ts";
import { faultsOfSample, lateCommitments } from "./samples.ts";
import { SecondCountsCheck } from "./second-counts.ts";

/** Something that does not hold. */
export interface Fault {
  /** The line that it was found at; null where it is of the file as a whole. */
  readonly line: number | null;
  readonly text: string;
}

/** What a file came to. */
export interface Verdict {
  readonly faults: readonly Fault[];
  /** How many there are; of very many only the first are kept. */
  readonly faultCount: number;
  readonly session: FileRecord | null;
  readonly lines: number;
  readonly rows: number;
  readonly scans: number;
  readonly samples: number;
  /** How often draws were committed to only after areas had closed. */
  readonly lateCommitments: number;
  /** SKUs of areas that were counted more than once. */
  readonly comparisons: number;
  /** Versions of the coverage certificate. */
  readonly certificates: number;
  /** The log's entries by their hashes, in their order. */
  readonly entries: ReadonlyMap<string, FileRecord>;
  /** Which of the entries is the first that was changed, is not in its place or does not follow the one before, from 0; Infinity for none. */
  readonly firstFaulty: number;
  /** Changes that were recorded while the file was written: its figures are of before them. */
  readonly changedMeanwhile: number;
}

const faultsKept = 200;

/** What a line is about, for who looks for it. */
function nameOf(record: FileRecord | null): string {
  switch (record?.is) {
    case "session":
      return "the session";
    case "area":
      return `area ${String(record.code)}`;
    case "pass":
      return `pass ${String(record.pass)} of an area`;
    case "comparison":
      return `the counts of SKU ${String(record.sku)}`;
    case "sample":
      return `control sample ${String(record.number)}`;
    case "certificate":
      return `version ${String(record.version)} of the coverage certificate`;
    case "search":
      return `the search for SKU ${String(record.sku)}`;
    case "row":
      return `the report's row of SKU ${String(record.sku)}`;
    case "scan":
      return `scan ${String(record.seq)} of device ${String(record.deviceId)}, code ${String(record.input)}`;
    case "entry":
      return `entry ${String(record.position)} of the log, ${String(record.action)}`;
    default:
      return "it can't be read";
  }
}

class Verification {
  readonly #faults: Fault[] = [];
  #faultCount = 0;
  readonly #figures = new FiguresCheck();
  readonly #secondCounts = new SecondCountsCheck();
  readonly #log = new LogCheck();
  readonly #samples: { readonly line: number; readonly record: FileRecord }[] = [];
  readonly #certificates: { readonly line: number; readonly read: ReadCertificate }[] = [];
  #session: FileRecord | null = null;
  #lines = 0;
  #scans = 0;
  #content: Line | null = null;
  #lastLine: Line | null = null;

  async take(line: Line): Promise<void> {
    this.#lines = line.number;
    this.#lastLine = line;
    if (!line.linked) {
      this.#fault(
        line.number,
        `This line was changed, or a line before it is missing (${nameOf(line.record)}).`,
      );
    }
    if (line.record !== null) await this.#read(line, line.record);
  }

  async #read(line: Line, record: FileRecord): Promise<void> {
    if (record.is !== "entry") {
      if (this.#log.hashes.size > 0)
        this.#fault(line.number, "It comes after the audit log, which is the end of the file.");
      this.#content = line;
    }
    switch (record.is) {
      case "session":
        this.#session = record;
        this.#figures.session(record);
        break;
      case "area":
        this.#secondCounts.area(record);
        break;
      case "comparison":
        this.#secondCounts.comparison(line.number, record);
        break;
      case "row":
        this.#figures.row(record);
        break;
      case "scan":
        this.#scans += 1;
        this.#figures.scan(record);
        this.#secondCounts.scan(record);
        break;
      case "sample":
        this.#samples.push({ line: line.number, record });
        break;
      case "certificate":
        this.#certificates.push({ line: line.number, read: await readCertificate(record) });
        break;
      case "pass":
        this.#secondCounts.pass(record);
        this.#faultIf(line.number, "The pass of an area: ", faultOfPass(record));
        break;
      case "entry":
        this.#faultIf(
          line.number,
          `Entry ${String(record.position)} of the log: `,
          await this.#log.take(record),
        );
        break;
    }
  }

  async end(): Promise<Verdict> {
    this.#checkSeal();
    for (const text of this.#figures.faults()) this.#fault(null, `${text}.`);
    for (const { line, text } of this.#secondCounts.faults([...this.#log.hashes.values()])) {
      this.#fault(line, `${text}.`);
    }
    for (const { line, record } of this.#samples) {
      for (const fault of await faultsOfSample(record, this.#log.hashes.values())) {
        this.#fault(line, `Control sample ${String(record.number)}: ${fault}.`);
      }
    }
    this.#checkCertificates();
    return {
      ...{ faults: this.#faults, faultCount: this.#faultCount, session: this.#session, lines: this.#lines },
      ...{ rows: this.#figures.rows, scans: this.#scans, samples: this.#samples.length },
      lateCommitments: lateCommitments(this.#log.hashes.values()),
      comparisons: this.#secondCounts.comparisons,
      certificates: this.#certificates.length,
      ...{ entries: this.#log.hashes, firstFaulty: this.#log.firstFaulty },
      changedMeanwhile: this.#changedMeanwhile(),
    };
  }

  #checkCertificates(): void {
    const versions = this.#certificates.map(({ read }) => read);
    const log = [...this.#log.hashes.values()];
    for (const { version, text } of faultsOfCertificates(versions, log, this.#session?.auditHash)) {
      const line = this.#certificates.find(({ read }) => read.version === version)?.line ?? null;
      this.#fault(line, `Version ${String(version)} of the coverage certificate: ${text}.`);
    }
  }

  /** The log's last entry tells what the content is. */
  #checkSeal(): void {
    if (this.#session === null) this.#fault(null, "The file does not begin with a session.");
    const seal = this.#lastLine?.record;
    if (seal?.is !== "entry" || seal.action !== "auditors_file.written") {
      this.#fault(null, "The file is not whole: it does not end with the entry that seals it.");
      return;
    }
    const { hash, lines } = Object(seal.after);
    if (hash !== this.#content?.hash || lines !== this.#content?.number) {
      this.#fault(null, "The content is not what the log's last entry was made of.");
    }
  }

  #changedMeanwhile(): number {
    const hashes = [...this.#log.hashes.keys()];
    const at = hashes.indexOf(String(this.#session?.auditHash));
    if (this.#session !== null && at < 0 && this.#session.auditHash !== null) {
      this.#fault(1, "What the log ended with when the content was read is not in the log.");
    }
    return Math.max(0, hashes.length - 2 - at);
  }

  #faultIf(line: number, before: string, fault: string | null): void {
    if (fault !== null) this.#fault(line, `${before}${fault}.`);
  }

  #fault(line: number | null, text: string): void {
    this.#faultCount += 1;
    if (this.#faults.length < faultsKept) this.#faults.push({ line, text });
  }
}

/** Verifies an auditor's file by what it holds alone. `onRead` is told how many bytes of it were read. */
export async function verifyFile(
  file: Blob,
  onRead: (bytes: number) => void = () => undefined,
): Promise<Verdict> {
  const verification = new Verification();
  for await (const line of readLines(file, onRead)) await verification.take(line);
  return verification.end();
}
