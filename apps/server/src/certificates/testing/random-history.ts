import * as contract from "@stocktake/contract";
import { expect } from "vitest";
import type { TestCounter } from "../../testing/scenes.ts";
import { CoverageOracle, type Waiting } from "./coverage-oracle.ts";
import type { CoverageScene } from "./coverage-scene.ts";
import type { Step } from "./random-steps.ts";

type Of<Act extends Step["act"]> = Extract<Step, { act: Act }>;

/** The session of a scene, done by calls and kept by the oracle. Steps that nobody could take now are passed over. */
export class RandomHistory {
  private readonly scene: CoverageScene;
  private readonly oracle = new CoverageOracle();
  private lists = new Map<string, number>();
  private sheets = 0;
  /** Of the newest certificate: what was so when it was issued. */
  private issued: { readonly snapshot: string; readonly figures: string } | null = null;
  /** How often it had a certificate that held. */
  held = 0;

  constructor(scene: CoverageScene) {
    this.scene = scene;
  }

  private get admin() {
    return this.scene.server.admin;
  }

  private get params() {
    return this.scene.params;
  }

  async perform(step: Step): Promise<void> {
    switch (step.act) {
      case "scan":
        return this.scan(step);
      case "decide":
        return this.decide(
          this.oracle.waiting[step.pick % Math.max(1, this.oracle.waiting.length)],
          step.accept,
        );
      case "say":
        return this.say(step.area, step.as, step.stated);
      case "leave":
        return this.leave([step.sku], step.leftAlone);
      case "settle":
        return this.settle(step.area);
      case "tidy":
        return this.tidy(step.what);
      case "finish":
        return this.finish(step.area);
      case "reopen":
        return this.reopen(step.area);
      case "second":
        return this.second(step);
      case "sheet":
        return step.isVoid ? this.voidSheet() : this.printSheet(step.area);
      case "search":
        return this.search(step);
      case "adjust":
        return this.adjust(step);
      case "issue":
        return this.issue();
    }
  }

  async end(): Promise<void> {
    await this.scene.end();
    this.oracle.end();
  }

  /** What the server says is open is what is; a certificate never holds while anything is, nor after anything changed. */
  async expectSame(): Promise<void> {
    const { open, certificate, canIssue } = await this.scene.read();
    const expected = this.oracle.open();
    expect(Object.fromEntries(open.map(({ kind, count }) => [kind, count]))).toEqual(expected);
    const isDone = this.oracle.ended && !this.oracle.isAnythingOpen();
    expect(certificate === null).toBe(this.issued === null);
    const isValid = certificate?.valid === true;
    expect(canIssue).toBe(isDone && !isValid);
    if (isValid) {
      this.held += 1;
      expect([isDone, this.oracle.figures()]).toEqual([true, this.issued?.figures]);
    } else if (isDone) expect(this.issued?.snapshot).not.toBe(this.oracle.snapshot());
  }

  private async scan({ area, sku, pending }: Of<"scan">): Promise<void> {
    const { oracle } = this;
    const isLate = oracle.ended || oracle.area(area).status === "closed";
    const id = await this.scene.scan(area, sku ?? "NO-SUCH-CODE", { pending });
    oracle.pending.set("ada", pending);
    if (isLate || sku === null) oracle.waiting.push({ id, area, sku, late: isLate });
    else oracle.area(area).count(sku);
    if (!isLate) oracle.area(area).status = "in_progress";
  }

  /** What nobody may accept, because its area was counted twice or is counted anew, is dismissed. */
  private async decide(scan: Waiting | undefined, accept: boolean): Promise<void> {
    if (scan === undefined) return;
    const { oracle } = this;
    const area = oracle.area(scan.area);
    const canCount = area.second === "none" && (oracle.ended || area.status === "closed" || !scan.late);
    const sku = scan.sku ?? "JK-1000";
    const body = accept && canCount ? { action: "accept" as const, sku } : { action: "dismiss" as const };
    await this.admin.call(contract.resolveScan, { params: { id: scan.id }, body });
    oracle.waiting = oracle.waiting.filter((other) => other !== scan);
    oracle.decided.push(body.action);
    if (body.action === "accept") area.count(sku);
  }

  private async say(code: string, as: contract.AreaStatement, stated: boolean): Promise<void> {
    const { oracle } = this;
    const area = oracle.area(code);
    const holds = oracle.holds(code, as);
    const { status, body } = await this.scene.say([code], as, stated);
    if (stated && !holds && !oracle.fits(code, as)) {
      expect([as, status]).toEqual([as, 409]);
      return;
    }
    expect([as, status]).toEqual([as, 200]);
    if (stated) expect(body).toEqual({ changed: holds ? 0 : 1 });
    if (stated) area.said.add(as);
    else area.said.delete(as);
  }

  private async leave(skus: readonly string[], leftAlone: boolean): Promise<void> {
    if (skus.length === 0) return;
    const body = { skus: [...skus], leftAlone, reason: "Of the other shop" };
    const openNow = new Set(this.oracle.openStock());
    const { changed } = await this.admin.call(contract.leaveStockAlone, { params: this.params, body });
    const those = skus.filter((sku) => (leftAlone ? openNow.has(sku) : this.oracle.leftAlone.has(sku)));
    expect(changed).toBe(those.length);
    for (const sku of those) {
      if (leftAlone) this.oracle.leftAlone.add(sku);
      else this.oracle.leftAlone.delete(sku);
    }
  }

  private async settle(code: string): Promise<void> {
    const area = this.oracle.area(code);
    if (!area.differs || area.second === "third") return;
    const { differences } = await this.admin.call(contract.countDifferences, { params: this.params });
    for (const { area: of, ofPass, sku, settledAs } of differences) {
      if (of.code !== code || settledAs !== null) continue;
      const body = { areaId: of._id, ofPass, sku, choice: "first" as const, reason: "It was looked at" };
      await this.admin.call(contract.settleDifference, { params: this.params, body });
    }
    area.differs = false;
    this.oracle.decided.push("settled");
  }

  private async tidy(what: Of<"tidy">["what"]): Promise<void> {
    const { oracle } = this;
    const isAll = what === "all";
    if (isAll || what === "scans") {
      if (oracle.pending.get("ada") !== undefined && (oracle.pending.get("ada") ?? 0) > 0)
        await this.scan({ act: "scan", area: "A1", sku: null, pending: 0 });
      for (const scan of oracle.waiting) await this.decide(scan, false);
    }
    if (isAll || what === "rest") {
      while (oracle.sheetsOut.size > 0 && !oracle.ended) await this.voidSheet();
      for (const [code, { second }] of oracle.areas) {
        if (second === "open" || second === "third") await this.cancel(code);
        await this.settle(code);
        if (oracle.area(code).second === "cut_off") await this.say(code, "without_second_count", true);
      }
    }
    if (isAll || what === "areas") {
      for (const [code, area] of oracle.areas) {
        if (area.status !== "closed" && oracle.hasScans(code) && !oracle.ended) await this.finish(code);
        if (oracle.fits(code, "void")) await this.say(code, "void", true);
        if (oracle.isEmptyOnce(area) && oracle.fits(code, "empty")) await this.say(code, "empty", true);
      }
    }
    if (isAll || what === "stock") await this.leave(oracle.openStock(), true);
  }

  private async finish(code: string): Promise<void> {
    const area = this.oracle.area(code);
    if (area.status === "closed") return;
    await this.scene.finish(code, area.total);
    area.status = "closed";
  }

  private async reopen(code: string): Promise<void> {
    const { oracle } = this;
    if (oracle.area(code).status !== "closed") return;
    const body = { areaId: this.scene.areaId(code), eraseScans: true as const };
    await this.admin.call(contract.reopenArea, { body });
    oracle.area(code).reopen();
    oracle.waiting = oracle.waiting.filter(({ area, late }) => area !== code || late);
  }

  private async second({ area: code, how }: Of<"second">): Promise<void> {
    const area = this.oracle.area(code);
    const body = { areaId: this.scene.areaId(code) };
    if (how === "cancel") return this.cancel(code);
    if (how === "ask" || area.second === "none") {
      if (area.status !== "closed" || area.second !== "none") return;
      await this.admin.call(contract.askSecondCount, { body });
      area.second = "open";
      if (how === "ask") return;
    }
    if (area.second === "open") await this.countTwice(code, how === "differs" ? 1 : 0);
  }

  private async cancel(code: string): Promise<void> {
    const area = this.oracle.area(code);
    if (area.second !== "open" && area.second !== "third") return;
    await this.admin.call(contract.cancelSecondCount, { body: { areaId: this.scene.areaId(code) } });
    this.oracle.decided.push("cancelled");
    area.second = area.second === "open" ? "none" : "made";
  }

  /** Ben finds what Ada has, or so many jackets more. */
  private async countTwice(code: string, more: number): Promise<void> {
    const area = this.oracle.area(code);
    const found = new Map(area.units);
    if (more > 0) found.set("JK-1000", (found.get("JK-1000") ?? 0) + more);
    await this.scene.countAgain(code, found);
    area.second = more > 0 ? "third" : "made";
    area.differs = more > 0;
    area.emptyTwice = more === 0 && area.total === 0;
    this.oracle.decided.push("counted twice");
  }

  private async printSheet(code: string): Promise<void> {
    if (this.oracle.area(code).status === "closed") return;
    const body = { areaIds: [this.scene.areaId(code)], order: "title" as const };
    await this.admin.call(contract.printSheets, { params: this.params, body });
    this.sheets += 1;
    this.oracle.sheetsOut.add(this.sheets);
  }

  private async voidSheet(): Promise<void> {
    const [number] = this.oracle.sheetsOut;
    if (number === undefined) return;
    const params = { ...this.params, number: String(number) };
    await this.admin.call(contract.voidSheet, { params, body: { reason: "Coffee" } });
    this.oracle.sheetsOut.delete(number);
    this.oracle.decided.push("sheet");
  }

  private async search({ sku, by, found }: Of<"search">): Promise<void> {
    const { oracle } = this;
    let list = this.lists.get(sku);
    if (list === undefined) {
      if (oracle.isCounted(sku)) return;
      const { lists } = await this.admin.call(contract.createSearches, {
        params: this.params,
        body: { skus: [sku] },
      });
      list = lists[0]?.number ?? 0;
      this.lists.set(sku, list);
    }
    const person: TestCounter = this.scene[by];
    const answer = found ? "found" : "not_there";
    const body = { sku, answer, deviceId: `phone of ${person.username}` } as const;
    await person.api.call(contract.answerSearch, { params: { ...this.params, number: String(list) }, body });
    const said = oracle.answers.get(sku) ?? new Map<string, contract.SearchAnswer>();
    oracle.answers.set(sku, said.set(by, answer));
  }

  private async adjust({ sku, count }: Of<"adjust">): Promise<void> {
    const params = { sessionId: this.scene.session._id };
    await this.admin.call(contract.adjustCount, {
      params,
      body: { sku, newCount: count, reason: "Recount" },
    });
    this.oracle.byHand.set(sku, count);
    this.oracle.decided.push("adjusted");
  }

  private async issue(): Promise<void> {
    const { status } = await this.scene.issue();
    expect(status).toBe(this.oracle.isAnythingOpen() ? 409 : 201);
    if (status === 201) this.issued = { snapshot: this.oracle.snapshot(), figures: this.oracle.figures() };
  }
}
