import { type FileRecord, hexOf, sha256, sha256Of } from "./lines.ts";

interface SampledArea {
  readonly areaId: string;
  readonly drawn: boolean;
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** What the log committed a session's draws to, and the hash that the seed of the next one has to have. */
interface Committed {
  readonly commitment: unknown;
  readonly link: unknown;
}

/**
 * By the log before a draw: each seed is the hash before the last one (docs/SAMPLES.md), so that whoever draws has no choice among those
 * that lead to the commitment.
 */
function committedIn(log: readonly FileRecord[]): Committed {
  let last: Committed = { commitment: null, link: null };
  for (const entry of log) {
    const { sampleSeedHash, hash, seed } = after(entry);
    if (sampleSeedHash !== undefined) last = { commitment: sampleSeedHash, link: sampleSeedHash };
    if (entry.action === "sample.committed") last = { commitment: hash, link: hash };
    if (entry.action === "sample.drawn") last = { commitment: last.commitment, link: seed };
  }
  return last;
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

/** How many commitments were made after areas had closed, as after a restore: whoever made them could know what was counted. */
export function lateCommitments(entries: Iterable<FileRecord>): number {
  const isLate = (entry: FileRecord) =>
    entry.action === "sample.committed" && Number(after(entry).closedAreas) > 0;
  return [...entries].filter(isLate).length;
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
  const { commitment, link } = committedIn(log.slice(0, drawAt));
  if (commitment !== sample.commitment)
    faults.push("its commitment is not the newest in the log before its draw");
  if (hexOf(await sha256(bytesOf(seed))) !== link) {
    faults.push("its seed is not the one that its commitment and the draws before it lead to");
  }
  if (after(drawing).seed !== seed) faults.push("its seed is not the one in the log");
  const areas = areasOf(sample);
  const ids = areas.map(({ areaId }) => areaId).sort();
  if (after(drawing).areasHash !== (await sha256Of(ids.join("\n")))) {
    faults.push("the areas that it was drawn from are not those in the log");
  }
  const chosen = areas.filter((area) => area.drawn);
  const logged: unknown = after(drawing).drawn;
  if (!Array.isArray(logged) || logged.length !== chosen.length) {
    faults.push("the log says that another number of areas was drawn");
  }
  // With their number, the seed leaves no choice among them.
  const right = await drawn(seed, ids, chosen.length);
  if (!chosen.every(({ areaId }) => right.has(areaId))) faults.push("its seed draws other areas");
  return faults;
}
