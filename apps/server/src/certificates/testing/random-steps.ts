import fc from "fast-check";
import { stocked } from "./coverage-oracle.ts";

const area: fc.Arbitrary<string> = fc.constantFrom("A1", "A2", "A3");
const sku = fc.constantFrom(...stocked);
const pick = fc.nat(20);

/** Its app is of an earlier release as it scans, whatever opened an area on it. */
export const oldPhone = "old phone";
const quietPhone = "quiet phone";
/** They show it with each of their reports. */
export const phonesWithKey = ["phone of Ada", quietPhone] as const;
const device = fc.constantFrom("phone of Ada", oldPhone, quietPhone);
const holds = fc.constantFrom(0, 0, 1);

/** Something that people do; drawn as often as its weight says. */
function act<const Act extends string, Given extends object>(
  weight: number,
  name: Act,
  given: { [Field in keyof Given]: fc.Arbitrary<Given[Field]> },
) {
  const arbitrary = fc.record<Given>(given).map((fields) => ({ act: name, ...fields }));
  return { weight, arbitrary };
}

/** Of an area, its step takes the drawn one or the next of which it can be done. */
const anytime = fc.oneof(
  act(3, "scan", {
    ...{ area, sku: fc.option(sku), pending: fc.constantFrom(0, 0, 2) },
    device: fc.constantFrom("phone of Ada", "phone of Ada", "phone of Ada", oldPhone, quietPhone),
  }),
  act(2, "decide", { pick, accept: fc.boolean() }),
  act(2, "say", {
    area,
    as: fc.constantFrom("empty" as const, "void" as const, "without_second_count" as const),
    stated: fc.boolean(),
  }),
  act(1, "leave", { sku, leftAlone: fc.boolean() }),
  act(1, "settle", { area, choice: fc.constantFrom("first" as const, "second" as const, "third" as const) }),
  act(4, "tidy", {
    what: fc.constantFrom(
      "areas" as const,
      "stock" as const,
      "scans" as const,
      "rest" as const,
      "again" as const,
    ),
  }),
  act(1, "void_sheet", {}),
  act(1, "do_without", { sku, stated: fc.boolean() }),
  act(1, "open_area", {
    ...{ device, holds },
    app: fc.constantFrom("old" as const, "quiet" as const, "telling" as const),
  }),
  act(1, "tell", { device, pending: holds }),
  act(3, "tell_as_stranger", {
    ...{ pick, pending: fc.constantFrom(0, 0, 1, 3) },
    ...{ shows: fc.constantFrom("no_key" as const, "another_key" as const), opens: fc.boolean() },
  }),
  act(1, "account", { device, stated: fc.boolean() }),
);

const finish = (weight: number) => act(weight, "finish", { area });
const beginAnew = (weight: number) => act(weight, "begin_anew", { area });
const ask = (weight: number) => act(weight, "ask", { area });
const countAgain = (weight: number) =>
  act(weight, "count_again", { area, more: fc.constantFrom(0, 0, 1, 2) });
const drawSample = (weight: number) => act(weight, "draw_sample", { areas: fc.constantFrom(1, 2, 2, 3) });
const printSheet = (weight: number) => act(weight, "print_sheet", { area });
const keySheet = (weight: number) =>
  act(weight, "key_sheet", { sku: fc.option(sku), units: fc.integer({ min: 1, max: 3 }) });

/** What people do while the session counts: some mostly count, some mostly count again, some mostly on paper. */
const anything = fc.oneof(
  { weight: 6, arbitrary: anytime },
  ...[finish(3), beginAnew(1), ask(1), countAgain(2), drawSample(1), printSheet(1), keySheet(1)],
  act(2, "search", { sku, by: fc.constantFrom("ada" as const, "ben" as const), found: fc.boolean() }),
);
const again = fc.oneof(
  { weight: 2, arbitrary: anytime },
  ...[finish(1), beginAnew(1), ask(1), countAgain(6), drawSample(4)],
  ...[act(1, "cancel", { area }), act(3, "void_sample", {})],
);
const onPaper = fc.oneof(
  { weight: 2, arbitrary: anytime },
  ...[printSheet(3), keySheet(4), finish(2), beginAnew(1), countAgain(1)],
);
const closed = fc.record({ act: fc.constant("finish" as const), area });

const counting = fc.oneof(
  fc.array(anything, { minLength: 3, maxLength: 11 }),
  fc
    .tuple(
      fc.array(anything, { maxLength: 2 }),
      fc.tuple(closed, closed),
      fc.array(again, { minLength: 3, maxLength: 8 }),
    )
    .map((parts) => parts.flat()),
  fc.array(onPaper, { minLength: 3, maxLength: 9 }),
);

const afterwards = fc.oneof(
  { weight: 4, arbitrary: anytime },
  act(3, "adjust", { sku, count: fc.nat(3) }),
  act(4, "tidy", { what: fc.constant("all" as const) }),
  act(4, "issue", {}),
);

/** A third of the sessions are partial, and half of those leave areas out by a plan. Half have a tolerance, of so many units. */
const beginning = fc
  .tuple(
    fc.constantFrom(
      ...[1, 2, 3, 4].map(() => ({ scope: "full" as const, leftOut: [] })),
      { scope: "partial" as const, leftOut: [] },
      { scope: "partial" as const, leftOut: ["A2", "A3"] },
    ),
    fc.constantFrom(null, null, 0, 2),
  )
  .map(([begun, tolerance]) => ({ ...begun, tolerance }));

/** A session from its start to some time after its end. */
export const history = fc.record({
  beginning,
  /** The server issues further versions by itself. */
  follows: fc.boolean(),
  counting,
  afterwards: fc.array(afterwards, { minLength: 4, maxLength: 9 }),
});

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export type History = Drawn<typeof history>;
export type Step = History["counting"][number] | History["afterwards"][number];
export type StepOf<Act extends Step["act"]> = Extract<Step, { act: Act }>;
