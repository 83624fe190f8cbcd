import { expect, test } from "vitest";
import * as z from "zod/mini";
import { writeLongAnswer } from "./long-answers.ts";
import { turnsDuring } from "./testing-turns.ts";

const Answer = z.object({
  title: z.string(),
  scans: z.array(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  further: z.optional(z.array(z.number())),
  next: z.optional(z.string()),
});

const scansOf = (count: number) =>
  Array.from({ length: count }, (_none, id) => ({ id, name: id % 2 === 0 ? null : `"${id}", [x]` }));

test("a long answer is written as in one go, without what its schema has not", async () => {
  const answer = { title: "a, b", scans: scansOf(350), further: [1, 2], next: undefined };
  const given = { ...answer, secret: "x", scans: answer.scans.map((scan) => ({ ...scan, secret: "x" })) };
  const written = await writeLongAnswer(Answer, given);
  expect(written).toBe(JSON.stringify(answer));
  const both = { ...answer, further: answer.scans.map(({ id }) => id) };
  expect(await writeLongAnswer(Answer, both)).toBe(JSON.stringify(both));
});

test("others go on meanwhile", async () => {
  const turns = await turnsDuring(() => writeLongAnswer(Answer, { title: "", scans: scansOf(1_000) }));
  expect(turns).toBeGreaterThanOrEqual(9);
});

test("a short answer, one with a list that has rules of its own, and one that is no object, are written in one go", async () => {
  expect(await writeLongAnswer(Answer, { title: "", scans: scansOf(100) })).toBeNull();
  const few = z.object({ scans: z.array(z.number()).check(z.maxLength(3)) });
  expect(await writeLongAnswer(few, { scans: scansOf(1_000) })).toBeNull();
  expect(await writeLongAnswer(z.array(z.number()), [1])).toBeNull();
  expect(await writeLongAnswer(undefined, { scans: scansOf(1_000) })).toBeNull();
});

test("an answer that is not of its schema is refused", async () => {
  const scans = [...scansOf(500), { id: "x", name: null }];
  await expect(writeLongAnswer(Answer, { title: "", scans })).rejects.toThrow();
  await expect(writeLongAnswer(Answer, { title: 1, scans: scansOf(500) })).rejects.toThrow();
});
