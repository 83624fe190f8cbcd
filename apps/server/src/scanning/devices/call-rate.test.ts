import { describe, expect, test } from "vitest";
import { ApiError } from "../../kernel/api-error.ts";
import { CallRate, scansASecond } from "./call-rate.ts";

const [ada, ben] = [Buffer.from("ada"), Buffer.from("ben")];

function limitAt(perSecond: number) {
  const clock = { at: 1_000_000, now: () => clock.at };
  const rate = new CallRate(clock, perSecond);
  /** Null where it was taken, else when to try again. */
  const charge = (amount: number, login = ada) => {
    try {
      rate.charge(login, amount);
      return null;
    } catch (refused) {
      if (!(refused instanceof ApiError)) throw refused;
      return { code: refused.code, message: refused.message, ...refused.extras };
    }
  };
  return { clock, charge, rate };
}

describe("the scans that a login may send in a second", () => {
  test("may come at once, one more may not, and other logins are not held up", () => {
    const { charge } = limitAt(100);
    expect(charge(100)).toBeNull();
    expect(charge(1)).toEqual({
      code: "RATE_LIMITED",
      message: "Too many scans at once. They are safe on the device; send them again in a second.",
      retryAfterSeconds: 1,
    });
    expect(charge(100, ben)).toBeNull();
  });

  test("are as many as the contract says", () => {
    const rate = new CallRate({ now: () => 0 });
    rate.charge(ada, scansASecond);
    expect(() => rate.charge(ada, 1)).toThrow(ApiError);
    expect(scansASecond).toBe(2000);
  });

  test("are regained as time goes by, never more than a second's worth", () => {
    const { clock, charge } = limitAt(100);
    charge(100);
    clock.at += 250;
    expect(charge(26)).not.toBeNull();
    expect(charge(25)).toBeNull();
    clock.at += 900;
    expect(charge(90)).toBeNull();
    clock.at += 30_000;
    expect(charge(101)).not.toBeNull();
    expect(charge(100)).toBeNull();
  });

  test("count nothing that was refused, and a refusal says when there is room", () => {
    const { charge } = limitAt(100);
    expect(charge(350)).toMatchObject({ retryAfterSeconds: 3 });
    expect(charge(100)).toBeNull();
    expect(charge(150)).toMatchObject({ retryAfterSeconds: 2 });
  });

  test("are not regained by a clock that is set back", () => {
    const { clock, charge } = limitAt(100);
    charge(100);
    clock.at -= 10_000;
    expect(charge(1)).not.toBeNull();
  });

  test("are forgotten of a login that was quiet, once in a minute", () => {
    const { clock, charge, rate } = limitAt(100);
    charge(1);
    clock.at += 59_000;
    charge(1, ben);
    expect(rate.remembered).toBe(2);
    clock.at += 2_000;
    charge(1, Buffer.from("cy"));
    expect(rate.remembered).toBe(1);
  });

  test("stay counted while others are forgotten", () => {
    const { clock, charge } = limitAt(100);
    charge(100, ben);
    clock.at += 59_500;
    charge(100);
    clock.at += 500;
    expect(charge(51)).not.toBeNull();
    expect(charge(50)).toBeNull();
  });
});
