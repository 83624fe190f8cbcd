import { type FileRecord, sha256Of } from "./lines.ts";

/** Names the form of a certificate's text (docs/CERTIFICATES.md). */
const certificateFormat = "stocktake-certificate-1";

function partsOf(text: unknown): { readonly [part: string]: unknown } {
  try {
    return Object(JSON.parse(String(text)));
  } catch {
    return {};
  }
}

/** The entries that tell of a certificate, by their versions: those up to the moment that the content is of. */
function issuedIn(log: readonly FileRecord[], until: unknown): ReadonlyMap<unknown, FileRecord> {
  const last = log.findIndex(({ hash }) => hash === until);
  const told = log
    .slice(0, last < 0 ? log.length : last + 1)
    .filter(({ action }) => action === "certificate.issued");
  return new Map(told.map((entry) => [Object(entry.after).version, entry]));
}

/** What is kept of a version once its text and its list, which may be megabytes, are checked. */
export interface ReadCertificate {
  readonly version: unknown;
  readonly hash: unknown;
  readonly previousHash: unknown;
  /** What is wrong with it by itself. */
  readonly faults: readonly string[];
}

/** Checks a version by itself: that its text and its list are what their hashes were made of. */
export async function readCertificate({ version, hash, text, items }: FileRecord): Promise<ReadCertificate> {
  const { format, version: named, previousHash, stock } = partsOf(text);
  const faults: string[] = [];
  if ((await sha256Of(String(text))) !== hash) faults.push("its text is not what its hash was made of");
  if (format !== certificateFormat || named !== version) faults.push("its text is of another version");
  if (Object(stock).list !== (await sha256Of(String(items))))
    faults.push("its list of SKUs is not the one that it names");
  return { version, hash, previousHash, faults };
}

function faultsOf(
  { hash, previousHash, faults }: ReadCertificate,
  previous: ReadCertificate | undefined,
  entry: FileRecord | undefined,
): readonly string[] {
  const amongOthers: string[] = [];
  if (previousHash !== (previous?.hash ?? null))
    amongOthers.push("it does not carry the hash of the version before it");
  if (entry === undefined) amongOthers.push("no entry of the log tells of it");
  else if (Object(entry.after).hash !== hash) amongOthers.push("its hash is not the one in the log");
  return [...faults, ...amongOthers];
}

/** What is wrong with the versions of a coverage certificate, in their order: a fault with the version that it is of. */
export function faultsOfCertificates(
  certificates: readonly ReadCertificate[],
  log: readonly FileRecord[],
  until: unknown,
): readonly { readonly version: unknown; readonly text: string }[] {
  const issued = issuedIn(log, until);
  const faults = certificates.flatMap((certificate, index) => {
    const texts = faultsOf(certificate, certificates[index - 1], issued.get(certificate.version));
    return texts.map((text) => ({ version: certificate.version, text }));
  });
  const held = new Set(certificates.map(({ version }) => version));
  const missing = [...issued.keys()].filter((version) => !held.has(version));
  return [
    ...faults,
    ...missing.map((version) => ({ version, text: "the log tells of it, and it is missing" })),
  ];
}
