import { availableParallelism } from "node:os";
import { parseOptions } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { createPasswords, nobodysHash, shareOf } from "./passwords.ts";

const passwords = createPasswords();

test("a password is stored as argon2id with the OWASP parameters and a salt of its own", async () => {
  const [one, other] = await Promise.all([passwords.hash("counting-day"), passwords.hash("counting-day")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(parseOptions(one)).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  expect(one).not.toBe(other);
});

test("only the very same password fits, blanks and case included", async () => {
  const stored = await passwords.hash(" Counting Day ");
  expect(await passwords.matches(stored, " Counting Day ")).toBe(true);
  expect(await passwords.matches(stored, "Counting Day")).toBe(false);
  expect(await passwords.matches(stored, " counting day ")).toBe(false);
});

test("nobody's password fits nothing, yet is compared with a hash of the same cost", async () => {
  expect(await passwords.matches(null, "counting-day")).toBe(false);
  expect(await passwords.matches(null, "")).toBe(false);
  const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
  expect(parseOptions(nobodysHash)).toMatchObject(options);
  // One that can't be read is refused at once, which tells that there is no such person.
  expect(nobodysHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$A{22}\$A{43}$/);
});

test.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [8, 4],
])("of %s processors %s are for passwords", (processors, atOnce) => {
  expect(shareOf(processors)).toBe(atOnce);
});

test.each([
  ["a new password", () => passwords.hash("counting-day")],
  ["a comparison of which nobody says who asks", () => passwords.matches(null, "counting-day")],
])("%s waits for no strangers", async (_what, work) => {
  const atOnce = shareOf(availableParallelism());
  const done: string[] = [];
  const strangers = Array.from({ length: 4 * atOnce }, async () => {
    await passwords.matches(null, "counting-day", "stranger");
    done.push("stranger");
  });
  const known = work().then(() => done.push("known"));
  await Promise.all([...strangers, known]);
  // Whoever is last in the line is done among the last that are worked on together.
  expect(done.indexOf("known")).toBeLessThan(done.length - atOnce);
});
