import type { Settings } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rowsPerCall } from "../../shopify/documents.ts";
import type { Direction } from "../queries.ts";
import { countSession } from "./counted-session.ts";
import { disturbedBy, type FaultCase, provoke } from "./fault-case.ts";
import { faultCases } from "./fault-cases.ts";
import { lifeUntil } from "./mortal.ts";
import { expectTruth, moveMortally, moveOnce, request, takeOver } from "./moving.ts";
import { lastMovement, openStockRoom, type StockRoom, skuOf } from "./stock-room.ts";

/** What no source settles about the platform. */
type Unsettled = Pick<Settings, "replay" | "staleRow" | "userErrorBurnsKey">;

/** Every combination of what is not settled. */
export const everySetting: readonly Unsettled[] = (["before-staleness", "after-staleness"] as const).flatMap(
  (replay) =>
    (["fails-all", "fails-itself"] as const).flatMap((staleRow) =>
      [false, true].map((userErrorBurnsKey) => ({ replay, staleRow, userErrorBurnsKey })),
    ),
);

/** The two that have nothing in common: each setting is met both ways. */
export const oppositeSettings: readonly Unsettled[] = everySetting.filter(
  (_setting, index) => index === 0 || index === everySetting.length - 1,
);

function nameOf({ replay, staleRow, userErrorBurnsKey }: Unsettled): string {
  return `replay ${replay}, a stale row ${staleRow}, keys ${userErrorBurnsKey ? "burnt" : "kept"}`;
}

const directions: readonly Direction[] = ["deploy", "rollback"];

/** Which settings the faults are gone through with, for each direction; one without any is left out, its seams too. */
export type FaultSettings = Readonly<Record<Direction, readonly Unsettled[]>>;

export const allFaultSettings: FaultSettings = { deploy: everySetting, rollback: everySetting };

function statesOfFirst({ first = ["confirmed"] }: FaultCase, direction: Direction): readonly string[] {
  return "deploy" in first ? first[direction] : first;
}

/** Shopify refuses one SKU, so that those that go with it in the same call may come to something else. */
export function isOfOneSku({ faults = [], only }: FaultCase): boolean {
  return only === "together" || faults.some(({ effect }) => effect.kind === "stale");
}

/** The promise under every fault, or those that are chosen, for sessions of `size` SKUs. */
export function proveFaults(
  size: number,
  settings: FaultSettings,
  isChosen: (fault: FaultCase) => boolean = () => true,
): void {
  const fitting = faultCases.filter(({ only }) => only !== (size > 1 ? "alone" : "together"));
  const cases = fitting.filter(isChosen);

  // Two at the beginning and two at the end; for each chunk before and after its intent is written down, its send is
  // written down, it is sent, and its outcome is written down.
  const seams = Array.from({ length: 4 + 8 * Math.ceil(size / rowsPerCall) }, (_nothing, index) => index + 1);

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

    describe.each(directions.filter((each) => settings[each].length > 0))("%s", (direction) => {
      const named = settings[direction].map((setting) => ({ setting, name: nameOf(setting) }));
      describe.each(named)("$name", ({ setting }) => {
        test.each(cases)("moves stock by exactly the variance under: $name", async (fault) => {
          const { sessionId, since } = await prepare(direction);
          await room.shop.changeSettings(setting);
          await provoke(room, fault);
          const operation = await moveOnce(room, sessionId, direction, disturbedBy(fault, room));
          await room.shop.releaseHanging();
          const open = await expectTruth(room, sessionId, direction, since);
          const { [skuOf(0)]: first = "confirmed", ...others } = open;
          expect(others).toEqual({});
          expect(statesOfFirst(fault, direction)).toContain(first);
          const moved = size > 1 || first !== "not_moved" || (direction === "rollback" && fault.unmovable);
          expect(operation.status).toBe(moved ? "done" : "failed");
        });
      });

      test.each(seams)("goes on by itself when its process dies at seam %i", async (seam) => {
        const { sessionId, since } = await prepare(direction);
        const operationId = await request(room.server, room, sessionId, direction);
        expect(await moveMortally(room, operationId, lifeUntil(seam))).toBe("died");
        expect((await takeOver(room, operationId)).status).toBe("done");
        expect(await expectTruth(room, sessionId, direction, since)).toEqual({});
      });

      test("has no seam beyond these", async () => {
        const { sessionId } = await prepare(direction);
        const operationId = await request(room.server, room, sessionId, direction);
        const life = lifeUntil(Number.POSITIVE_INFINITY);
        expect(await moveMortally(room, operationId, life)).toBe("ended");
        expect(life.seams).toBe(seams.length);
      });
    });
  });
}
