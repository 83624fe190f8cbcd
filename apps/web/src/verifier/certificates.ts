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

async function faultsOf(
  certificate: FileRecord,
  previous: FileRecord | undefined,
  entry: FileRecord | undefined,
): Promise<readonly string[]> {
  const { version, hash, text, items } = certificate;
  const { format, version: named, previousHash, stock } = partsOf(text);
  const faults: string[] = [];
  if ((await sha256Of(String(text))) !== hash) faults.push("its text is not what its hash was made of");
  if (format !== certificateFormat || named !== version) faults.push("its text is of another version");
  if (previousHash !== (previous?.hash ?? null))
    faults.push("it does not carry the hash of the version before it");
  if (Object(stock).list !== (await sha256Of(String(items))))
    faults.push("its list of SKUs is not the one that it names");
  if (entry === undefined) faults.push("no entry of the log tells of it");
  else if (Object(entry.after).hash !== hash) faults.push("its hash is not the one in the log");
  return faults;
}

/** What is wrong with the versions of a coverage certificate, in their order: a fault with the version that it is of. */
export async function faultsOfCertificates(
  certificates: readonly FileRecord[],
  log: readonly FileRecord[],
  until: unknown,
): Promise<readonly { readonly version: unknown; readonly text: string }[]> {
  const issued = issuedIn(log, until);
  const faults = await Promise.all(
    certificates.map(async (certificate, index) => {
      const texts = await faultsOf(certificate, certificates[index - 1], issued.get(certificate.version));
      return texts.map((text) => ({ version: certificate.version, text }));
    }),
  );
  const held = new Set(certificates.map(({ version }) => version));
  const missing = [...issued.keys()].filter((version) => !held.has(version));
  return [
    ...faults.flat(),
    ...missing.map((version) => ({ version, text: "the log tells of it, and it is missing" })),
  ];
}
