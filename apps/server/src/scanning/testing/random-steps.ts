import fc from "fast-check";
import { codes } from "./scene.ts";

export const inputs = [codes.jacketS, codes.jacketM, { input: codes.unknown.input, sku: null }] as const;

const area = fc.nat({ max: 1 });
const device = fc.constantFrom("tablet", "phone", "scanner");
/** Chooses among what exists by then. */
const pick = fc.nat({ max: 1000 });
const oneIn = (times: number) => fc.nat({ max: times - 1 }).map((number) => number === 0);

const scanStep = fc.record({
  act: fc.constant("scan" as const),
  device,
  area,
  code: fc.nat({ max: 2 }),
  quantity: fc.option(fc.integer({ min: 1, max: 9_999 })),
  namesPass: oneIn(2),
  holdsBack: oneIn(3),
});
/** `passesBack`: the pass that the device names, so many before the current one; null: none. */
const undoStep = fc.record({
  act: fc.constant("undo" as const),
  device,
  area,
  pick,
  bySeq: fc.boolean(),
  passesBack: fc.option(fc.nat({ max: 2 })),
});
/** `unknown`: how many accepted units the device has not heard of; null: it does not say what it has heard of. */
const finishStep = fc.record({
  act: fc.constant("finish" as const),
  device,
  area,
  wrong: oneIn(2),
  unknown: fc.option(fc.nat({ max: 1 })),
});
/** One thing that a device or the administrator does. */
export const step = fc.oneof(
  { weight: 12, arbitrary: scanStep },
  { weight: 5, arbitrary: fc.record({ act: fc.constant("deliver" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("deliverAll" as const), backwards: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("repeat" as const), pick, renumbered: oneIn(2) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("clash" as const), pick }) },
  { weight: 4, arbitrary: undoStep },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("reset" as const), area }) },
  { weight: 2, arbitrary: finishStep },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant("restore" as const), area, back: fc.nat({ max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("reopen" as const), area }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("accept" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("takeBack" as const), pick }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("askAgain" as const), pick }) },
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
export type ScanStep = Extract<Step, { act: "scan" }>;
export type UndoStep = Extract<Step, { act: "undo" }>;
export type FinishStep = Extract<Step, { act: "finish" }>;
