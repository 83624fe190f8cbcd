import { expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { createSeededRandomness } from "../../../offline/testing/manual-clock.ts";
import { openStationAlone, otherShirt, type StationHarness, shirt } from "../testing/station-harness.ts";

// Seeds that once failed stay here; the others are new ground.
const seeds = Array.from({ length: 12 }, (_none, index) => index + 1);
const steps = 40;

type Step = (harness: StationHarness) => void;

const comeBack: Step = ({ shop, device }) => {
  shop.isAway = false;
  device.connectivity.report(true);
  device.engine.retryNow();
};

const walk: readonly Step[] = [
  ({ scan }) => scan(shirt),
  ({ scan }) => scan(otherShirt),
  ({ scan }) => scan("unknown-77"),
  ({ scan }) => scan(shirt, 200),
  ({ scan }) => scan("TWIN"),
  ({ station, state }) => station.chooseProduct(state().choice?.products[0] ?? null),
  ({ station, clock }) => {
    clock.advance(1_000);
    station.undo();
  },
  ({ shop, device }) => {
    shop.isAway = true;
    device.connectivity.report(false);
  },
  comeBack,
  ({ clock }) => clock.advance(3_000),
  // An administrator accepts what waits; the phone hears of it now or, where it is away, later.
  ({ shop, client }) => {
    const [waiting] = shop.scanning.unresolvedIn("A1");
    if (waiting !== undefined) shop.scanning.accept(waiting.payload.opId);
    void client.invalidateQueries({ queryKey: [queryRoots.areas] });
  },
];

/** What must be true between any two steps. */
function check({ state, shown }: StationHarness): void {
  const { tally, unknown, choice, block, notice } = state();
  const scans = [...tally, ...unknown];
  expect(new Set(scans.map(({ seq }) => seq)).size).toBe(scans.length);
  expect(block === null || choice === null).toBe(true);
  expect(shown() === null).toBe(notice === null);
}

it.each(seeds)(
  "seed %i: whatever a person and the network do, the count is the server's in the end",
  async (seed) => {
    const random = createSeededRandomness(seed);
    const harness = await openStationAlone();
    await harness.waitUntilReady();
    for (let step = 0; step < steps; step += 1) {
      walk[Math.floor(random.fraction() * walk.length)]?.(harness);
      check(harness);
      // Now and then everything under way completes first; else the next step comes in its midst.
      if (random.fraction() < 0.5) await harness.device.database.getAll("pendingScans");
      check(harness);
    }
    comeBack(harness);
    await harness.waitUntilSent();
    await harness.client.invalidateQueries({ queryKey: [queryRoots.areas] });
    await harness.waitUntilCounted(harness.shop.scanning.total("A1"));
    const waiting = harness.shop.scanning.unresolvedIn("A1").map(({ payload }) => payload.input);
    await expect.poll(() => harness.state().unknown.map(({ input }) => input)).toEqual(waiting);
    check(harness);
  },
);
