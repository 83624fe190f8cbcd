import type { Settings } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Direction } from "../stock-move.ts";
import { faultCases, withAfterSend } from "./fault-cases.ts";
import { lifeUntil } from "./mortal.ts";
import { expectTruth, moveOnce, request, takeOver } from "./moving.ts";
import { countSession, lastMovement, openStockRoom, type StockRoom, skuOf } from "./stock-room.ts";

/** What no source settles about the platform. */
type Unsettled = Pick<Settings, "replay" | "staleRow" | "userErrorBurnsKey">;

/** Every combination of what is not settled. */
export const everySetting: readonly Unsettled[] = (["before-staleness", "after-staleness"] as const).flatMap(
  (replay) =>
    (["fails-all", "fails-itself"] as const).flatMap((staleRow) =>
      [false, true].map((userErrorBurnsKey) => ({ replay, staleRow, userErrorBurnsKey })),
    ),
);

/** The two that have nothing in common. */
export const oppositeSettings: readonly Unsettled[] = everySetting.filter(
  (_setting, index) => index === 0 || index === everySetting.length - 1,
);

function nameOf({ replay, staleRow, userErrorBurnsKey }: Unsettled): string {
  return `replay ${replay}, a stale row ${staleRow}, keys ${userErrorBurnsKey ? "burnt" : "kept"}`;
}

const directions: readonly Direction[] = ["deploy", "rollback"];

/** Which settings the faults are gone through with, for each direction. */
export type FaultSettings = Readonly<Record<Direction, readonly Unsettled[]>>;

export const allFaultSettings: FaultSettings = { deploy: everySetting, rollback: everySetting };

/** The promise under every fault, for sessions of `size` SKUs. */
export function proveFaults(size: number, settings: FaultSettings): void {
  const cases = faultCases.filter(({ together }) => size > 1 || together !== true);

  describe(`${size} SKUs`, () => {
    let room: StockRoom;

    beforeAll(async () => {
      room = await openStockRoom(size);
    });

    beforeEach(() => room.shop.reset());

    afterAll(() => room.close());

    /** A counted session, deployed already where it is to be rolled back, and the movement after which to look. */
    async function prepare(direction: Direction): Promise<{ sessionId: string; since: number }> {
      const sessionId = await countSession(room);
      if (direction === "rollback") await moveOnce(room, sessionId, "deploy");
      await room.clock.sleep(60_000);
      return { sessionId, since: await lastMovement(room) };
    }

    describe.each(directions)("%s", (direction) => {
      const named = settings[direction].map((setting) => ({ setting, name: nameOf(setting) }));
      describe.each(named)("$name", ({ setting }) => {
        test.each(cases)("moves stock by exactly the variance under: $name", async (fault) => {
          const { sessionId, since } = await prepare(direction);
          await room.shop.changeSettings({ ...setting, ...fault.settings });
          await room.shop.addFaults({ faults: [...(fault.faults ?? [])] });
          const operation = await moveOnce(room, sessionId, direction, {
            between: withAfterSend(room, fault),
          });
          const open = await expectTruth(room, sessionId, direction, since);
          const { [skuOf(0)]: first = "confirmed", ...others } = open;
          expect(others).toEqual({});
          expect(fault.first ?? ["confirmed"]).toContain(first);
          expect(operation.status).toBe(size === 1 && first === "not_moved" ? "failed" : "done");
        });
      });

      test("goes on by itself wherever its process died, and moves stock by exactly the variance", async () => {
        for (let seam = 1; ; seam += 1) {
          const { sessionId, since } = await prepare(direction);
          const life = lifeUntil(seam);
          const first = await room.process();
          const operationId = await request(first, room, sessionId, direction);
          await first.close();
          const dying = await room.process({ life });
          await dying.context.operations.sweep("alone");
          const ended = dying.context.operations
            .waitForEnd(operationId, 600_000)
            .then(() => "ended" as const);
          const how = await Promise.race([ended, life.death.then(() => "died" as const)]);
          ended.catch(() => undefined);
          await dying.close();
          if (how === "died") expect((await takeOver(room, operationId)).status).toBe("done");
          expect(await expectTruth(room, sessionId, direction, since)).toEqual({});
          if (how === "ended") break;
        }
      });
    });
  });
}
