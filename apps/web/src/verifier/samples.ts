import { type FileRecord, hexOf, sha256, sha256Of } from "./lines.ts";

/** How many draws one commitment is for (docs/SAMPLES.md). */
const drawsPerCommitment = 100;

interface SampledArea {
  readonly areaId: string;
  readonly drawn: boolean;
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** Whether the seed is one of the hashes before the commitment. */
async function leadsTo(seed: string, commitment: unknown): Promise<boolean> {
  let link = bytesOf(seed);
  for (let left = drawsPerCommitment; left > 0; left -= 1) {
    link = await sha256(link);
    if (hexOf(link) === commitment) return true;
  }
  return false;
}

/** The areas that the seed draws: those whose HMAC-SHA-256 under it comes first. */
async function drawn(seed: string, ids: readonly string[], count: number): Promise<Set<string>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(seed), algorithm, false, ["sign"]);
  const ranked = await Promise.all(
    ids.map(async (id) => {
      const rank = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(id));
      return { id, rank: hexOf(new Uint8Array(rank)) };
    }),
  );
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return new Set(ranked.slice(0, count).map(({ id }) => id));
}

function areasOf({ areas }: FileRecord): SampledArea[] {
  return Array.isArray(areas) ? areas : [];
}

function after(entry: FileRecord): { readonly [fact: string]: unknown } {
  return Object(entry.after);
}

/** What is wrong with a sample: its seed, what committed it, or which areas it drew. */
export async function faultsOfSample(
  sample: FileRecord,
  entries: Iterable<FileRecord>,
): Promise<readonly string[]> {
  const seed = String(sample.seed);
  const log = [...entries];
  const drawAt = log.findIndex(
    (entry) => entry.action === "sample.drawn" && after(entry).number === sample.number,
  );
  const drawing = log[drawAt];
  if (drawing === undefined) return ["no entry of the log tells of its draw"];
  const faults: string[] = [];
  const commitments = log
    .slice(0, drawAt)
    .flatMap((entry) => [
      after(entry).sampleSeedHash,
      entry.action === "sample.committed" ? after(entry).hash : null,
    ]);
  if (!commitments.includes(sample.commitment)) faults.push("no entry before its draw holds its commitment");
  if (!(await leadsTo(seed, sample.commitment))) faults.push("its seed does not lead to its commitment");
  if (after(drawing).seed !== seed) faults.push("its seed is not the one in the log");
  const areas = areasOf(sample);
  const ids = areas.map(({ areaId }) => areaId).sort();
  if (after(drawing).areasHash !== (await sha256Of(ids.join("\n")))) {
    faults.push("the areas that it was drawn from are not those in the log");
  }
  const chosen = areas.filter((area) => area.drawn);
  const right = await drawn(seed, ids, chosen.length);
  if (!chosen.every(({ areaId }) => right.has(areaId))) faults.push("its seed draws other areas");
  return faults;
}
