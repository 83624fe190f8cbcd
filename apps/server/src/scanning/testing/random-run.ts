import { randomUUID } from "node:crypto";
import {
  type CallDefinition,
  finishArea,
  postScan,
  postScanBatch,
  reopenArea,
  resetArea,
  resolveScan,
  restorePass,
  takeBackDecisions,
  undoScan,
} from "@stocktake/contract";
import { expect } from "vitest";
import type { TestArea } from "../../testing/scenes.ts";
import type { Given, TestApi } from "../../testing/test-api.ts";
import { CountingOracle, type Expected, type OracleScan } from "./oracle.ts";
import { type FinishStep, inputs, type ScanStep, type Step, type UndoStep } from "./random-steps.ts";
import { type CountingScene, codes, scanBody } from "./scene.ts";

/** Two areas with three devices, counted by the server and by the oracle. */
export class RandomRun {
  private readonly scene: CountingScene;
  private readonly name = randomUUID().slice(0, 8);
  private readonly areas: readonly TestArea[];
  private readonly oracle: CountingOracle;
  private readonly sequences = new Map<string, number>();
  private readonly scanned: OracleScan[] = [];
  private outbox: OracleScan[] = [];
  private readonly answered: (() => Promise<void>)[] = [];

  constructor(scene: CountingScene, areas: readonly TestArea[]) {
    this.scene = scene;
    this.areas = areas;
    this.oracle = new CountingOracle(
      areas.map(({ code }) => code),
      1,
    );
  }

  async perform(step: Step): Promise<void> {
    switch (step.act) {
      case "scan":
        return this.scan(step);
      case "deliver":
        return this.deliver(chosen(this.outbox, step.pick));
      case "deliverAll":
        return this.deliverAll(step.backwards);
      case "repeat":
        return this.repeat(step.pick, step.renumbered);
      case "clash":
        return this.deliver(changed(chosen(this.scanned, step.pick), { opId: randomUUID() }));
      case "undo":
        return this.undo(step);
      case "reset":
        return this.reset(this.code(step.area));
      case "finish":
        return this.finish(step);
      case "restore":
        return this.restore(step.area, step.back);
      case "reopen":
        return this.expectAnswer(
          this.scene.server.admin,
          reopenArea,
          this.oracle.reopen(this.code(step.area)),
          {
            body: { areaId: this.areaId(step.area), eraseScans: true },
          },
        );
      case "accept":
        return this.accept(step.pick);
      case "takeBack":
        return this.takeBack(step.pick);
      case "askAgain":
        return chosen(this.answered, step.pick)?.();
    }
  }

  private code(area: number): string {
    return this.areas[area]?.code ?? "";
  }

  private areaId(area: number): string {
    return this.areas[area]?.id ?? "";
  }

  private deviceId(device: string): string {
    return `${device}-${this.name}`;
  }

  private nextSeq(device: string): number {
    const seq = (this.sequences.get(device) ?? 0) + 1;
    this.sequences.set(device, seq);
    return seq;
  }

  private async scan({ device, area, code, quantity, namesPass, holdsBack }: ScanStep) {
    const scan: OracleScan = {
      opId: randomUUID(),
      device: this.deviceId(device),
      seq: this.nextSeq(this.deviceId(device)),
      area: this.code(area),
      sku: inputs[code]?.sku ?? null,
      quantity,
      pass: namesPass ? this.oracle.area(this.code(area)).pass : null,
    };
    this.scanned.push(scan);
    if (holdsBack) this.outbox.push(scan);
    else await this.deliver(scan);
  }

  private async deliver(scan: OracleScan | undefined): Promise<void> {
    if (scan === undefined) return;
    this.outbox = this.outbox.filter((held) => held !== scan);
    await this.expectAnswer(this.scene.counter.api, postScan, this.oracle.scan(scan), {
      body: this.payload(scan),
    });
  }

  private async deliverAll(backwards: boolean): Promise<void> {
    if (this.outbox.length === 0) return;
    const scans = backwards ? this.outbox.toReversed() : this.outbox;
    this.outbox = [];
    const results = scans.map((scan) => {
      const sameDevice = scans.filter(({ device }) => device === scan.device);
      const { status, body } = this.oracle.scan(scan, Math.max(...sameDevice.map(({ seq }) => seq)));
      return { httpStatus: status, ...body };
    });
    const expected = { status: 200, body: { results } };
    await this.expectAnswer(this.scene.counter.api, postScanBatch, expected, {
      body: { scans: scans.map((scan) => this.payload(scan)) },
    });
  }

  private repeat(pick: number, renumbered: boolean): Promise<void> {
    const scan = chosen(this.scanned, pick);
    if (scan === undefined || !renumbered) return this.deliver(scan);
    return this.deliver(changed(scan, { seq: this.nextSeq(scan.device) }));
  }

  private undo({ device, area, pick, bySeq, passesBack }: UndoStep) {
    const deviceId = this.deviceId(device);
    const seq = bySeq ? (pick % ((this.sequences.get(deviceId) ?? 0) + 1)) + 1 : null;
    const code = this.code(area);
    const pass = passesBack === null ? null : Math.max(1, this.oracle.area(code).pass - passesBack);
    const expected = this.oracle.undo({ device: deviceId, code, seq, pass });
    const body = {
      ...this.named(area),
      deviceId,
      ...(seq === null ? {} : { seq }),
      ...(pass === null ? {} : { pass }),
    };
    return this.expectOperation(undoScan, expected, { body });
  }

  private reset(code: string): Promise<void> {
    const area = this.areas.findIndex((each) => each.code === code);
    return this.expectOperation(resetArea, this.oracle.reset(code), { body: this.named(area) });
  }

  private finish({ device, area, wrong, unknown }: FinishStep) {
    const deviceId = this.deviceId(device);
    const code = this.code(area);
    const { pass } = this.oracle.area(code);
    const declaredTotal = this.oracle.totalOf(code) + (wrong ? 1 : 0);
    const knownAccepted = unknown === null ? null : Math.max(0, this.oracle.acceptedIn(code) - unknown);
    const expected = this.oracle.finish({ code, device: deviceId, declaredTotal, knownAccepted });
    const known = knownAccepted === null ? {} : { knownAccepted };
    return this.expectOperation(finishArea, expected, {
      body: { ...this.named(area), deviceId, declaredTotal, pass, ...known },
    });
  }

  private restore(area: number, back: number): Promise<void> {
    const pass = Math.max(1, this.oracle.area(this.code(area)).pass - back);
    return this.expectAnswer(
      this.scene.server.admin,
      restorePass,
      this.oracle.restore(this.code(area), pass),
      {
        body: { areaId: this.areaId(area), pass },
      },
    );
  }

  private async accept(pick: number): Promise<void> {
    const open = chosen(this.oracle.exceptions(), pick);
    if (open === undefined) return;
    const id = await this.storedId(open);
    const { sku } = codes.jacketL;
    await this.expectAnswer(this.scene.server.admin, resolveScan, this.oracle.accept(open.opId, sku), {
      params: { id },
      body: { action: "accept", sku },
    });
  }

  private async takeBack(pick: number): Promise<void> {
    const accepted = chosen(this.oracle.accepted(), pick);
    if (accepted === undefined) return;
    const scanIds = [await this.storedId(accepted)];
    const expected = this.oracle.takeBack(accepted.opId);
    const params = { id: this.scene.session._id };
    await this.expectAnswer(this.scene.server.admin, takeBackDecisions, expected, {
      params,
      body: { scanIds },
    });
  }

  private async storedId({ opId }: Pick<OracleScan, "opId">): Promise<string> {
    const { id } = await this.scene.server.database.database
      .selectFrom("scans")
      .select("id")
      .where("opId", "=", opId)
      .executeTakeFirstOrThrow();
    return String(id);
  }

  private payload({ opId, device, seq, area, sku, quantity, pass }: OracleScan) {
    const input = inputs.find((each) => each.sku === sku)?.input ?? "";
    const sent = { ...(pass === null ? {} : { pass }), ...(quantity === null ? {} : { quantity }) };
    return scanBody(this.scene, { opId, deviceId: device, seq, areaCode: area, input, ...sent });
  }

  private named(area: number) {
    return {
      sessionId: this.scene.session._id,
      locationId: this.scene.store.locationId,
      areaCode: this.code(area),
      opId: randomUUID(),
    };
  }

  /** What was answered once must be answered the same again under the same operation id, whatever has happened since. */
  private async expectOperation<const Definition extends CallDefinition>(
    definition: Definition,
    expected: Expected,
    given: Given<Definition>,
  ): Promise<void> {
    await this.expectAnswer(this.scene.counter.api, definition, expected, given);
    if (expected.status !== 200) return;
    this.answered.push(() => this.expectAnswer(this.scene.counter.api, definition, expected, given));
  }

  private async expectAnswer<const Definition extends CallDefinition>(
    api: TestApi,
    definition: Definition,
    expected: Expected,
    given: Given<Definition>,
  ): Promise<void> {
    const { status, body } = await api.send(definition, given);
    expect({ path: definition.path, status, body }).toMatchObject({ path: definition.path, ...expected });
  }

  /** Everything that the server stored in this run is what the oracle expects. */
  async expectSameState(): Promise<void> {
    const areaIds = this.areas.map(({ id }) => id);
    const codeOf = new Map(this.areas.map(({ id, code }) => [id, code]));
    const { database } = this.scene.server.database;
    const areas = await database.selectFrom("areas").selectAll().where("id", "in", areaIds).execute();
    for (const { code, status, pass } of areas)
      expect({ status, pass }).toMatchObject(stateOf(this.oracle.area(code)));
    const scans = await database.selectFrom("scans").selectAll().where("areaId", "in", areaIds).execute();
    const held = scans.map(({ opId, seq, status, reason, pass }) => ({
      opId,
      seq,
      status,
      reason,
      pass,
    }));
    const expected = this.oracle.stored.map(({ opId, seq, outcome, countedIn }) => ({
      opId,
      seq,
      ...outcome,
      pass: countedIn,
    }));
    expect(held.sort(byOpId)).toEqual(expected.sort(byOpId));
    const totals = await database
      .selectFrom("scanTotals")
      .selectAll()
      .where("areaId", "in", areaIds)
      .execute();
    const byKey = totals.map(({ areaId, pass, sku, quantity }) => [
      `${codeOf.get(areaId)} ${pass} ${sku}`,
      quantity,
    ]);
    expect(Object.fromEntries(byKey)).toEqual(this.oracle.totals());
  }
}

const stateOf = ({ status, pass }: { status: string; pass: number }) => ({ status, pass });
const byOpId = (one: { opId: string | null }, other: { opId: string | null }) =>
  (one.opId ?? "") < (other.opId ?? "") ? -1 : 1;

function chosen<Member>(members: readonly Member[], pick: number): Member | undefined {
  return members[pick % Math.max(1, members.length)];
}

function changed(scan: OracleScan | undefined, change: Partial<OracleScan>): OracleScan | undefined {
  return scan === undefined ? undefined : { ...scan, ...change };
}
