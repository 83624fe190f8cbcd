import fc from "fast-check";

/** What happens to people, phones, areas and the server in the middle of a count. */
const upheavalKinds = [
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
] as const;
export type UpheavalKind = (typeof upheavalKinds)[number];

export interface Upheaval {
  readonly kind: UpheavalKind;
  /** When, in hundredths of the count. */
  readonly at: number;
  /** Whom or what it concerns, of as many as there are by then. */
  readonly who: number;
  readonly pick: number;
}

/** A whole count: how people walk follows from the seed, what happens around them stands here. */
export interface Plan {
  readonly seed: number;
  readonly steps: number;
  readonly upheavals: readonly Upheaval[];
}

const often: readonly UpheavalKind[] = upheavalKinds.filter(
  (kind) => kind !== "server_killed" && kind !== "session_ends",
);

const kind: fc.Arbitrary<UpheavalKind> = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(...often) },
  { weight: 2, arbitrary: fc.constant("session_ends" as const) },
  // Costs seconds where the others cost milliseconds.
  { weight: 1, arbitrary: fc.constant("server_killed" as const) },
);

/** Counts by chance; fast-check takes upheavals and steps away from one that fails, as long as it fails. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.nat(),
  steps: fc.integer({ min: 30, max: 140 }),
  upheavals: fc.array(
    fc.record({ kind, at: fc.nat({ max: 99 }), who: fc.nat({ max: 5 }), pick: fc.nat({ max: 1000 }) }),
    { maxLength: 7 },
  ),
});
