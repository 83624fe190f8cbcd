import type { Adjustment, Operation } from "@stocktake/contract";
import type { EmulatorControl, FaultRequest } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Direction } from "../queries.ts";
import { countSession } from "./counted-session.ts";
import { disturbedBy, type FaultCase, provoke } from "./fault-case.ts";
import type { Life } from "./mortal.ts";
import { adjustmentsOf, expectTruth, moveMortally, moveOnce, request, rowsOf, takeOver } from "./moving.ts";
import {
  lastMovement,
  openStockRoom,
  type ProcessOptions,
  type StockRoom,
  shelf,
  skuOf,
} from "./stock-room.ts";

/** A stock room for the tests of a file, which they count, deploy and roll back; each finds the shop as at the start. */
export class StockRoomScene {
  #room: StockRoom | undefined;
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
    beforeAll(async () => {
      this.#room = await openStockRoom(size);
    });
    beforeEach(() => this.shop.reset());
    afterAll(() => this.room.close());
  }

  get room(): StockRoom {
    if (this.#room === undefined) throw new Error("The stock room opens before the first test.");
    return this.#room;
  }

  get shop(): EmulatorControl {
    return this.room.shop;
  }

  get context(): StockRoom["server"]["context"] {
    return this.room.server.context;
  }

  get database(): StockRoom["database"]["database"] {
    return this.room.database.database;
  }

  fail(...faults: FaultRequest[]): Promise<unknown> {
    return this.shop.addFaults({ faults });
  }

  /** What the shop has available of every SKU, in their order. */
  async available(): Promise<number[]> {
    const readings = await Promise.all(
      Array.from({ length: this.#size }, (_nothing, index) =>
        this.shop.stock({ item: skuOf(index), location: shelf }),
      ),
    );
    return readings.map((reading) => reading.available);
  }

  count(): Promise<string> {
    return countSession(this.room);
  }

  /** Asks for a deploy or a rollback without starting it; resolves to its operation. */
  request(sessionId: string, direction: Direction): Promise<string> {
    return request(this.room.server, this.room, sessionId, direction);
  }

  /** Deploys or rolls back and waits for the end. */
  move(sessionId: string, direction: Direction, options?: ProcessOptions): Promise<Operation> {
    return moveOnce(this.room, sessionId, direction, options);
  }

  async deployed(): Promise<string> {
    const sessionId = await this.count();
    await this.move(sessionId, "deploy");
    return sessionId;
  }

  /** The same, while something goes wrong. */
  async moveUnder(fault: FaultCase, sessionId: string, direction: Direction): Promise<Operation> {
    await provoke(this.room, fault);
    return this.move(sessionId, direction, disturbedBy(fault, this.room));
  }

  moveMortally(operationId: string, life: Life): Promise<"ended" | "died"> {
    return moveMortally(this.room, operationId, life);
  }

  takeOver(operationId: string): Promise<Operation> {
    return takeOver(this.room, operationId);
  }

  lastMovement(): Promise<number> {
    return lastMovement(this.room);
  }

  expectTruth(sessionId: string, direction: Direction, since: number): Promise<Record<string, string>> {
    return expectTruth(this.room, sessionId, direction, since);
  }

  /** The session's adjustments as a client sees them, newest first. */
  adjustmentsOf(sessionId: string): Promise<Adjustment[]> {
    return adjustmentsOf(this.room, sessionId);
  }

  async adjustmentOf(sessionId: string): Promise<Adjustment> {
    const [adjustment] = await this.adjustmentsOf(sessionId);
    if (adjustment === undefined) throw new Error("There is no adjustment.");
    return adjustment;
  }

  rowsOf(sessionId: string, direction: Direction): ReturnType<typeof rowsOf> {
    return rowsOf(this.room, sessionId, direction);
  }
}
