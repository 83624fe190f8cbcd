import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { createGuessLimit, type TooManyGuesses, waitText } from "./guess-limit.ts";
import { attack } from "./guess-pace.ts";
import { type Guess, wrongGuesses } from "./guess-queries.ts";

/*
 * The limit on guesses by itself: no server, and no password is worked on.
 */

let db: TestDatabase;
let slept: number[];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  slept = [];
  await db.pool.query("delete from failed_logins");
});

const stranger: Guess = { kind: "admin", account: "ada", ip: "203.0.113.1", mark: null };
const known: Guess = { ...stranger, mark: "m1" };

function newLimit() {
  return createGuessLimit(db.database, { sleep: async (ms) => void slept.push(ms) });
}

const wrong = async () => null;
const right = async () => "in";
const refused = (guess: Guess, limit = newLimit()): Promise<TooManyGuesses> =>
  limit.attempt(guess, right).then(
    () => {
      throw new Error("It was not refused.");
    },
    (error) => error,
  );

async function keptOf(guess: Guess, times: number): Promise<void> {
  const limit = newLimit();
  for (let time = 0; time < times; time += 1) await limit.attempt(guess, wrong);
}

const kept = async () =>
  (await db.database.selectFrom("failedLogins").select(["address", "mark"]).execute()).map(
    ({ address, mark }) => mark ?? address,
  );

async function attackAda(more = ""): Promise<void> {
  await db.pool.query(
    `insert into failed_logins (kind, account, address, newcomer, due_at)
     select 'admin', 'ada', '198.51.100.' || number, true, now() ${more} from generate_series(1, $1) number`,
    [attack.lately],
  );
}

describe("a guess", () => {
  test("is kept where it was wrong, for its address or its browser, and taken back where it was right", async () => {
    const limit = newLimit();
    expect(await limit.attempt(stranger, wrong)).toBeNull();
    expect(await limit.attempt(known, wrong)).toBeNull();
    expect((await kept()).sort()).toEqual(["203.0.113.1", "m1"]);
    expect(await limit.attempt(known, right)).toBe("in");
    expect(await kept()).toEqual(["203.0.113.1"]);
    expect(await limit.attempt(stranger, right)).toBe("in");
    expect(await kept()).toEqual([]);
  });

  test("that could not be checked is not kept, and hinders none after it", async () => {
    const limit = newLimit();
    const broken = () => Promise.reject(new Error("no memory"));
    await expect(limit.attempt(stranger, broken)).rejects.toThrow("no memory");
    expect(await kept()).toEqual([]);
    expect(await limit.attempt(stranger, right)).toBe("in");
  });

  test("is checked after those before it from the same place, and beside those from others", async () => {
    const limit = newLimit();
    const done: string[] = [];
    let finish = () => {};
    const first = limit.attempt(stranger, async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      done.push("first");
      return null;
    });
    const second = limit.attempt(stranger, async () => {
      done.push("second");
      return null;
    });
    const others = [
      known,
      { ...known, mark: "m2" },
      { ...stranger, ip: "203.0.113.2" },
      { ...stranger, kind: "counter" as const },
    ];
    await Promise.all(others.map((guess) => limit.attempt(guess, async () => void done.push("other"))));
    expect(done).toEqual(["other", "other", "other", "other"]);
    finish();
    await Promise.all([first, second]);
    expect(done.slice(4)).toEqual(["first", "second"]);
  });
});

describe("too many guesses", () => {
  test("from an address are refused with a wait, from no other and at no other login", async () => {
    await keptOf(stranger, wrongGuesses);
    const error = await refused(stranger);
    expect(error).toMatchObject({ code: "RATE_LIMITED", counted: "address" });
    expect(error.message).toBe("Too many wrong passwords from here. Wait 15 minutes, then try again.");
    expect(error.extras.retryAfterSeconds).toBeGreaterThan(14 * 60);
    expect(await newLimit().attempt({ ...stranger, ip: "203.0.113.2" }, right)).toBe("in");
    expect(await newLimit().attempt({ ...stranger, kind: "counter" }, right)).toBe("in");
    expect(await newLimit().attempt(known, right)).toBe("in");
  });

  test("from a known browser are refused wherever it is", async () => {
    await keptOf(known, wrongGuesses);
    expect(await refused({ ...known, ip: "203.0.113.9" })).toMatchObject({ counted: "browser" });
    expect(await newLimit().attempt(stranger, right)).toBe("in");
  });

  test("of strangers at an account are refused where the line is long, not those of its known browsers", async () => {
    await attackAda("+ interval '1 hour'");
    const error = await refused(stranger);
    expect(error.counted).toBe("account");
    expect(error.message).toMatch(
      /^Many wrong passwords were tried for this account. Wait 6[01] minutes, then try again, or use a browser in which you have signed in before.$/,
    );
    expect(error.extras.retryAfterSeconds).toBeGreaterThan(3_500);
    expect(await kept()).toHaveLength(attack.lately);
    expect(await newLimit().attempt(known, right)).toBe("in");
    expect(await newLimit().attempt({ ...stranger, account: "grace" }, right)).toBe("in");
    expect(slept).toEqual([]);
  });

  test("of strangers at an account are checked after a wait where the line is short", async () => {
    await attackAda("+ interval '7 seconds'");
    expect(await newLimit().attempt(stranger, right)).toBe("in");
    expect(slept).toHaveLength(1);
    expect(slept[0]).toBeGreaterThan(0);
    expect(slept[0]).toBeLessThanOrEqual(7_500);
  });
});

test.each([
  [0, "1 second"],
  [1, "1 second"],
  [2, "2 seconds"],
  [59, "59 seconds"],
  [60, "1 minute"],
  [61, "2 minutes"],
  [120, "2 minutes"],
])("a wait of %d seconds is %s", (seconds, text) => {
  expect(waitText(seconds)).toBe(text);
});
