import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { drawAreas, drawsPerCommitment, newSecret, seedOf } from "./seeds.ts";

const sha256 = (hex: string) => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex");

test("SHA-256 of each seed is the one before it, of the first the commitment, and the last is the secret itself", () => {
  const secret = newSecret();
  const links = Array.from({ length: drawsPerCommitment + 1 }, (_nothing, draw) => seedOf(secret, draw));
  expect(links.slice(1).map(sha256)).toEqual(links.slice(0, -1));
  expect(links.at(-1)).toBe(secret.toString("hex"));
});

test("no two secrets are alike", () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newSecret().toString("hex"))).size).toBe(1_000);
});

test("every area, and every pair of them, is drawn as often as any other", () => {
  const areas = ["a", "b", "c", "d", "e", "f"];
  const times = new Map<string, number>();
  const draws = 6_000;
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = [...drawAreas(createHash("sha256").update(String(draw)).digest("hex"), areas, 2)].sort();
    for (const key of [...drawn, drawn.join("")]) times.set(key, (times.get(key) ?? 0) + 1);
  }
  const offBy = (key: string, share: number) => Math.abs((times.get(key) ?? 0) - draws * share);
  // Five standard deviations.
  for (const area of areas) expect(offBy(area, 1 / 3)).toBeLessThan(183);
  const pairs = areas.flatMap((one, index) => areas.slice(index + 1).map((other) => one + other));
  for (const pair of pairs) expect(offBy(pair, 1 / 15)).toBeLessThan(97);
});

test("the order of the list does not matter, nor is more drawn than there is", () => {
  const seed = seedOf(newSecret(), 1);
  expect(drawAreas(seed, ["c", "a", "b"], 2)).toEqual(drawAreas(seed, ["a", "b", "c"], 2));
  expect(drawAreas(seed, ["a", "b"], 2)).toEqual(new Set(["a", "b"]));
});
