import type { Plan, UpheavalKind } from "./plan.ts";

/** A count that is played in every test run, and the rule that it is there for. */
export interface KeptPlan {
  readonly rule: string;
  readonly plan: Plan;
}

function around(seed: number, ...kinds: readonly (readonly [UpheavalKind, number, number, number])[]): Plan {
  const upheavals = kinds.map(([kind, at, who, pick]) => ({ kind, at, who, pick }));
  return { seed, steps: 90, upheavals };
}

function plain(seed: number): Plan {
  return { seed, steps: 150, upheavals: [] };
}

/** Each thing that can happen in the middle of a count, where it hurts most. */
const eachUpheaval: readonly KeptPlan[] = [
  {
    rule: "S18, S22: the session ends midway: what comes later is late, and counts once an administrator accepts it",
    plan: around(201, ["session_ends", 50, 0, 0], ["signs_out", 70, 1, 0]),
  },
  {
    rule: "S14: two phones with one storage and one device id lose nothing and double nothing",
    plan: around(202, ["phone_cloned", 20, 0, 0], ["clock_set", 60, 3, 900]),
  },
  {
    rule: "S8: two tabs that send at once, each without the lock, count everything once",
    plan: around(203, ["second_tab", 5, 0, 0], ["second_tab", 10, 1, 0], ["second_tab", 60, 0, 0]),
  },
  {
    rule: "S18: signing out, another counter on the phone and an administrator on it lose nothing and swap no names",
    plan: around(204, ["signs_out", 20, 0, 0], ["another_signs_in", 40, 1, 2], ["admin_signs_in", 70, 2, 0]),
  },
  {
    rule: "S17: a login of another store neither sends nor loses what is not its own",
    plan: around(205, ["stranger_signs_in", 30, 0, 0], ["stranger_signs_in", 60, 1, 0]),
  },
  {
    rule: "S18: a revoked invitation leaves its scans to the next login",
    plan: around(206, ["invitation_revoked", 30, 0, 0], ["invitation_revoked", 75, 2, 0]),
  },
  {
    rule: "S7: an area that an administrator reopens or deletes midway keeps every scan apart that is not of its pass",
    plan: around(
      207,
      ["area_reopened", 50, 0, 0],
      ["area_deleted", 8, 0, 1],
      ["area_deleted", 9, 0, 3],
      ["area_reopened", 80, 0, 2],
    ),
  },
  {
    rule: "S4, S11: a server that is killed midway and comes back has what it acknowledged, once",
    plan: around(208, ["server_killed", 40, 0, 0]),
  },
  {
    rule: "S5, S17: clocks that are set back and on change nothing",
    plan: around(209, ["clock_set", 20, 0, 0], ["clock_set", 50, 1, 1000], ["clock_set", 80, 0, 1000]),
  },
];

// Once these turned scans away that were made after a reset which the server then refused.
const failedOnce = [45, 119, 133, 134, 136, 173];

export const keptPlans: readonly KeptPlan[] = [
  ...eachUpheaval,
  ...[1, 2].map((seed) => ({
    rule: `S1 to S20: whatever gets lost, late or doubled, the server counts what people scanned (${seed})`,
    plan: plain(seed),
  })),
  ...failedOnce.map((seed) => ({
    rule: `S15: scans after a refused reset are stored (${seed})`,
    plan: plain(seed),
  })),
];
