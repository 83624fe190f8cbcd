import fc from "fast-check";
import { stocked } from "./coverage-oracle.ts";

const area = fc.constantFrom("A1", "A2", "A3");
const sku = fc.constantFrom(...stocked);
const person = fc.constantFrom("ada" as const, "ben" as const);
const pick = fc.nat(20);

/** What people do, while the session counts and after. */
const anytime = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("scan" as const),
      area,
      sku: fc.option(sku),
      pending: fc.constantFrom(0, 0, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("decide" as const), pick, accept: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("say" as const),
      area,
      as: fc.constantFrom("empty" as const, "void" as const, "without_second_count" as const),
      stated: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("leave" as const), sku, leftAlone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("settle" as const), area }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("tidy" as const),
      what: fc.constantFrom("areas" as const, "stock" as const, "scans" as const, "rest" as const),
    }),
  },
);

const counting = fc.oneof(
  { weight: 5, arbitrary: anytime },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("finish" as const), area }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("reopen" as const), area }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("second" as const),
      area,
      how: fc.constantFrom("ask" as const, "equal" as const, "differs" as const, "cancel" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("sheet" as const), area, isVoid: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("search" as const), sku, by: person, found: fc.boolean() }),
  },
);

const afterwards = fc.oneof(
  { weight: 4, arbitrary: anytime },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("adjust" as const), sku, count: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant("tidy" as const), what: fc.constant("all" as const) }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("issue" as const) }) },
);

const steps = fc.record({
  counting: fc.array(counting, { minLength: 3, maxLength: 14 }),
  afterwards: fc.array(afterwards, { minLength: 4, maxLength: 12 }),
});

/** A session from its start to some time after its end. */
export const history = steps;

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export type Step = Drawn<typeof counting> | Drawn<typeof afterwards>;
