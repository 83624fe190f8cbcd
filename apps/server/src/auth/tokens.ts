import { createHash, randomBytes, randomInt } from "node:crypto";

/** A secret that opens something by itself: `text` goes to its owner and nowhere else, `hash` is what is stored. */
export interface Token {
  readonly text: string;
  readonly hash: Buffer;
}

/** 32 random bytes: nothing that could be guessed, so a plain hash of it is safe to store. */
export function newToken(): Token {
  const text = randomBytes(32).toString("base64url");
  return { text, hash: hashToken(text) };
}

/** SHA-256 of whatever a visitor brought, well-formed or not. */
export function hashToken(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** 80 random bits in groups that can be read aloud: no i, l, o or u, which are mistaken for others. */
export function newReadableSecret(): string {
  const letters = "0123456789abcdefghjkmnpqrstvwxyz";
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}
