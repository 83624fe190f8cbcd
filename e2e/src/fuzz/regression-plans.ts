import type { DisruptionKind, Plan } from "./plan.ts";

/** A count that once failed, or does what is seldom drawn, and the rule that it covers. */
export interface RegressionPlan {
  readonly rule: string;
  /** Every test run repeats it; `npm run fuzz -- phones --known` repeats all. */
  readonly isInSlice?: true;
  readonly plan: Plan;
}

function disrupted(
  seed: number,
  ...kinds: readonly (readonly [DisruptionKind, number, number, number])[]
): Plan {
  const disruptions = kinds.map(([kind, at, who, pick]) => ({ kind, at, who, pick }));
  return { seed, steps: 90, disruptions };
}

function plain(seed: number): Plan {
  return { seed, steps: 150, disruptions: [] };
}

/** Each disruption, at the worst moment of a count. */
const eachDisruption: readonly RegressionPlan[] = [
  {
    rule: "S18, S22: the session ends midway: later scans are late, and count once an administrator accepts them",
    isInSlice: true,
    plan: disrupted(201, ["session_ends", 50, 0, 0], ["signs_out", 70, 1, 0]),
  },
  {
    rule: "S14: two phones with the same storage and device id lose and duplicate nothing",
    plan: disrupted(202, ["phone_cloned", 20, 0, 0], ["clock_set", 60, 3, 900]),
  },
  {
    rule: "S8: two tabs that send at once, each without the lock, count everything once",
    plan: disrupted(203, ["second_tab", 5, 0, 0], ["second_tab", 10, 1, 0], ["second_tab", 60, 0, 0]),
  },
  {
    rule: "S18: signing out, and another counter or an administrator on the phone, lose nothing and mix up no names",
    plan: disrupted(
      204,
      ["signs_out", 20, 0, 0],
      ["another_signs_in", 40, 1, 2],
      ["admin_signs_in", 70, 2, 0],
    ),
  },
  {
    rule: "S17: a login of another store neither sends nor loses scans that are not its own",
    plan: disrupted(205, ["stranger_signs_in", 30, 0, 0], ["stranger_signs_in", 60, 1, 0]),
  },
  {
    rule: "S18: a revoked invitation leaves its scans to the next login",
    plan: disrupted(206, ["invitation_revoked", 30, 0, 0], ["invitation_revoked", 75, 2, 0]),
  },
  {
    rule: "S7: an area that an administrator reopens or deletes midway keeps scans of other passes out of its count",
    plan: disrupted(
      207,
      ["area_reopened", 50, 0, 0],
      ["area_deleted", 8, 0, 1],
      ["area_deleted", 9, 0, 3],
      ["area_reopened", 80, 0, 2],
    ),
  },
  {
    rule: "S4, S11: a server that is killed midway and restarted has what it acknowledged, once",
    isInSlice: true,
    plan: disrupted(208, ["server_killed", 40, 0, 0]),
  },
  {
    rule: "S5, S17: clocks that are set back and forward change nothing",
    plan: disrupted(209, ["clock_set", 20, 0, 0], ["clock_set", 50, 1, 1000], ["clock_set", 80, 0, 1000]),
  },
  {
    rule: "S7, S45: areas and lists that others count a second time, searches and empty areas: figures are those of the rule",
    plan: {
      ...disrupted(
        210,
        ["area_left_empty", 25, 0, 0],
        ["second_count_asked", 30, 1, 5],
        ["search_made", 40, 2, 1],
        ["second_count_asked", 50, 2, 9],
        ["second_count_asked", 60, 0, 2],
        ["second_count_asked", 75, 1, 0],
      ),
      steps: 140,
    },
  },
  {
    rule: "S7, S10, S45: phones out of reach count, count again, control a sample and search; then every queue is known to be empty, and a certificate is issued where nothing is open",
    isInSlice: true,
    plan: {
      ...disrupted(
        212,
        ["tolerance_set", 3, 0, 2],
        ["search_made", 10, 0, 2],
        ["search_made", 12, 1, 3],
        ["phone_offline", 15, 0, 0],
        ["area_left_empty", 20, 1, 1],
        ["search_answered", 22, 0, 3],
        ["area_left_empty", 25, 0, 0],
        ["phone_online", 35, 0, 0],
        ["search_answered", 38, 0, 2],
        ["second_count_asked", 45, 2, 7],
        ["sample_drawn", 55, 0, 3],
        ["phone_online", 60, 2, 0],
        ["sample_voided", 62, 0, 0],
        ["sample_drawn", 70, 1, 2],
        ["phone_offline", 80, 1, 0],
        ["search_answered", 82, 1, 4],
      ),
      steps: 140,
    },
  },
  {
    rule: "S40: areas that are given to others alone let nobody else in, count what others scan there, and name them",
    isInSlice: true,
    plan: {
      ...disrupted(
        213,
        ["areas_assigned", 8, 0, 7],
        ["areas_assigned", 20, 1, 12],
        ["phone_offline", 30, 2, 0],
        ["areas_assigned", 40, 2, 24],
        ["invitation_revoked", 60, 2, 0],
        ["phone_online", 65, 2, 0],
        ["areas_assigned", 75, 1, 21],
        ["areas_assigned", 85, 0, 23],
      ),
      steps: 200,
    },
  },
  {
    rule: "S18: by the session's code only those who were admitted come in, and none once it is closed, they are removed or the session is over",
    isInSlice: true,
    plan: {
      ...disrupted(
        214,
        ["joins_by_code", 10, 0, 2],
        ["joins_by_code", 20, 1, 0],
        ["joins_by_code", 30, 2, 3],
        ["joins_by_code", 40, 0, 5],
        ["joins_by_code", 50, 1, 1],
        ["joins_by_code", 55, 2, 2],
        ["joins_by_code", 60, 2, 4],
        ["joins_by_code", 70, 0, 11],
        ["session_ends", 85, 0, 0],
        ["joins_by_code", 90, 1, 0],
      ),
      steps: 120,
    },
  },
];

// In these, scans made after a reset that the server then refused were once refused too; so they were in 119, 133, 134 and 136.
const failedOnce = [45, 173];

export const regressionPlans: readonly RegressionPlan[] = [
  ...eachDisruption,
  {
    rule: "S1 to S20: whatever gets lost, delayed or duplicated, the server counts what people scanned",
    isInSlice: true,
    plan: plain(1),
  },
  ...failedOnce.map((seed) => ({
    rule: `S15: scans after a refused reset are stored (${seed})`,
    plan: plain(seed),
  })),
];
