import fc from "fast-check";

/** What may happen to people, phones, areas and the server in the middle of a count. */
const disruptionKinds = [
  "session_ends",
  "phone_cloned",
  "second_tab",
  "signs_out",
  "another_signs_in",
  "admin_signs_in",
  "stranger_signs_in",
  "invitation_revoked",
  "area_reopened",
  "area_deleted",
  "server_killed",
  "clock_set",
  "phone_offline",
  "phone_online",
  "second_count_asked",
  "sample_drawn",
  "sample_voided",
  "search_made",
  "search_answered",
  "area_left_empty",
  "tolerance_set",
  "areas_assigned",
  "joins_by_code",
] as const;
export type DisruptionKind = (typeof disruptionKinds)[number];

export interface Disruption {
  readonly kind: DisruptionKind;
  /** When, in hundredths of the count. */
  readonly at: number;
  /** Whom or what it affects, modulo how many there are by then. */
  readonly who: number;
  readonly pick: number;
}

/** A whole count: what people do follows from the seed, what happens to them is listed here. */
export interface Plan {
  readonly seed: number;
  readonly steps: number;
  readonly disruptions: readonly Disruption[];
}

const often: readonly DisruptionKind[] = disruptionKinds.filter(
  (kind) => kind !== "server_killed" && kind !== "session_ends",
);

const kind: fc.Arbitrary<DisruptionKind> = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom(...often) },
  // Take areas that are closed by then.
  { weight: 4, arbitrary: fc.constantFrom("second_count_asked" as const, "sample_drawn" as const) },
  { weight: 4, arbitrary: fc.constant("phone_offline" as const) },
  { weight: 4, arbitrary: fc.constantFrom("areas_assigned" as const, "joins_by_code" as const) },
  { weight: 2, arbitrary: fc.constant("session_ends" as const) },
  // Takes seconds where the others take milliseconds.
  { weight: 1, arbitrary: fc.constant("server_killed" as const) },
);

/** Random counts; fast-check shrinks a failing one to fewer disruptions and steps. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.nat(),
  steps: fc.integer({ min: 30, max: 140 }),
  disruptions: fc.array(
    fc.record({ kind, at: fc.nat({ max: 99 }), who: fc.nat({ max: 5 }), pick: fc.nat({ max: 1000 }) }),
    { maxLength: 9 },
  ),
});
