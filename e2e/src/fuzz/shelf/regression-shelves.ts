import type { ShelfPlan } from "./shelf-plan.ts";

/** A count that every test run repeats, and what once went wrong in it. */
export interface RegressionShelf {
  readonly rule: string;
  readonly plan: ShelfPlan;
}

export const regressionShelves: readonly RegressionShelf[] = [];
