import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type TurnLimits, Turns } from "./turns.ts";

const roomy: TurnLimits = { atOnce: 10, inHandOfPerson: 10, inHand: 10 };

/** Calls that are named in `begun` once it is their turn, and end when they are told to. */
function calls(limits: Partial<TurnLimits> = {}, isAnybodyElseHere = true) {
  const turns = new Turns({ ...roomy, ...limits }, { has: () => isAnybodyElseHere });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = async (person: string, name: string) => {
    const end = await turns.enter(person);
    begun.push(name);
    ends.set(name, end);
  };
  return { turns, begun, ask, end: (name: string) => ends.get(name)?.() };
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets everything be done that is due within so many milliseconds. */
const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

describe("calls that take turns", () => {
  test("are one person's one at a time, in their order", async () => {
    const { begun, ask, end } = calls();
    for (const name of ["first", "second", "third"]) void ask("Ada", name);
    await pass();
    expect(begun).toEqual(["first"]);
    end("first");
    await pass(1);
    expect(begun).toEqual(["first", "second"]);
    end("second");
    await pass(1);
    expect(begun).toEqual(["first", "second", "third"]);
  });

  test("rest after each for as long as it took, a quarter of a second at most", async () => {
    const { begun, ask, end } = calls();
    for (const name of ["first", "second", "third"]) void ask("Ada", name);
    await pass(100);
    end("first");
    await pass(99);
    expect(begun).toEqual(["first"]);
    await pass(1);
    expect(begun).toEqual(["first", "second"]);
    await pass(10_000);
    end("second");
    await pass(250);
    expect(begun).toEqual(["first", "second", "third"]);
  });

  test("rest longer the longer a person goes on, until a tenth of the time is theirs, and are forgotten after a while", async () => {
    const { begun, ask, end } = calls();
    /** How long the line rests after a call of a tenth of a second; the next one is no work. */
    const restAfterCall = async () => {
      void ask("Ada", "call");
      await pass(100);
      end("call");
      const before = begun.length;
      void ask("Ada", "next");
      let rested = 0;
      for (; begun.length === before; rested += 10) await pass(10);
      end("next");
      await pass();
      return rested;
    };
    expect(await restAfterCall()).toBe(100);
    let longest = 0;
    for (let round = 0; round < 200; round += 1) longest = Math.max(longest, await restAfterCall());
    expect(longest).toBeGreaterThan(800);
    expect(longest).toBeLessThanOrEqual(900);
    await pass(60_000);
    expect(await restAfterCall()).toBe(100);
  });

  test("go on at once where nobody else calls", async () => {
    const { begun, ask, end } = calls({}, false);
    for (const name of ["first", "second"]) void ask("Ada", name);
    await pass(100);
    end("first");
    await pass();
    expect(begun).toEqual(["first", "second"]);
  });

  test("also rest where the next one comes later", async () => {
    const { begun, ask, end } = calls();
    void ask("Ada", "first");
    await pass(100);
    end("first");
    await pass(20);
    void ask("Ada", "second");
    await pass(79);
    expect(begun).toEqual(["first"]);
    await pass(1);
    expect(begun).toEqual(["first", "second"]);
  });

  test("hold up nobody else's", async () => {
    const { begun, ask } = calls();
    for (const name of ["first", "second"]) void ask("Ada", name);
    void ask("Bob", "Bob's");
    await pass();
    expect(begun).toEqual(["first", "Bob's"]);
  });

  test("are several people's one after the other where few may be under way", async () => {
    const { begun, ask, end } = calls({ atOnce: 1 });
    for (const name of ["Ada 1", "Ada 2", "Ada 3"]) void ask("Ada", name);
    for (const name of ["Bob 1", "Bob 2"]) void ask("Bob", name);
    for (const name of ["Ada 1", "Bob 1", "Ada 2", "Bob 2", "Ada 3"]) {
      await pass(1);
      expect(begun.at(-1)).toBe(name);
      end(name);
    }
  });

  test("end once, however often that is said", async () => {
    const { begun, ask, end } = calls({ atOnce: 1 });
    for (const person of ["Ada", "Bob", "Cem"]) void ask(person, person);
    await pass();
    end("Ada");
    end("Ada");
    await pass();
    expect(begun).toEqual(["Ada", "Bob"]);
  });

  test("beyond those that a person may have in hand are refused, and nobody else's", async () => {
    const { turns, begun, ask } = calls({ inHandOfPerson: 2 });
    for (const name of ["first", "second"]) void ask("Ada", name);
    expect(turns.roomFor("Ada")).toEqual({ ofPerson: false, inAll: true });
    await expect(ask("Ada", "third")).rejects.toMatchObject({
      ...{ code: "OVERLOADED", status: 503 },
      extras: { retryAfterSeconds: 2 },
    });
    await ask("Bob", "Bob's");
    expect(begun).toEqual(["first", "Bob's"]);
  });

  test("beyond those that all may have in hand are refused", async () => {
    const { turns, ask } = calls({ inHand: 2 });
    for (const person of ["Ada", "Bob"]) void ask(person, person);
    expect(turns.roomFor("Cem")).toEqual({ ofPerson: true, inAll: false });
    await expect(ask("Cem", "third")).rejects.toMatchObject({ code: "OVERLOADED" });
  });

  test("leave nothing behind of a person who has none in hand", async () => {
    const { turns, ask, end } = calls({ inHandOfPerson: 1, inHand: 1 });
    for (let round = 0; round < 3; round += 1) {
      await ask("Ada", "call");
      end("call");
      await pass(1);
      expect(turns.roomFor("Ada")).toEqual({ ofPerson: true, inAll: true });
    }
  });
});
