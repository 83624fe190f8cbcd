import { createHash, createHmac, randomBytes } from "node:crypto";

/** How many draws one commitment is for. */
export const drawsPerCommitment = 100;

const secretBytes = 32;

export function newSecret(): Buffer {
  return randomBytes(secretBytes);
}

/**
 * The seeds of a commitment are a chain of hashes that is used from its end: `hash` is the secret hashed `drawsPerCommitment`
 * times, and the seed of each draw is what the one before it (of the first: the commitment) is the SHA-256 of. So one hash commits
 * all draws, and a seed that is known tells nothing of the next.
 * @param draw from 1; 0 is the commitment itself
 */
export function seedOf(secret: Buffer, draw: number): string {
  let link = secret;
  for (let left = drawsPerCommitment - draw; left > 0; left -= 1) {
    link = createHash("sha256").update(link).digest();
  }
  return link.toString("hex");
}

/**
 * So many of the areas: those whose HMAC-SHA-256 under the seed comes first (docs/SAMPLES.md). Any set of them is as likely as any
 * other, and everybody who has the seed and the list draws the same.
 */
export function drawAreas(seed: string, areaIds: readonly string[], count: number): ReadonlySet<string> {
  const key = Buffer.from(seed, "hex");
  const ranked = areaIds.map((id) => ({ id, rank: createHmac("sha256", key).update(id).digest("hex") }));
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return new Set(ranked.slice(0, count).map(({ id }) => id));
}
