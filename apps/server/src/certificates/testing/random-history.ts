import { expect } from "vitest";
import { expectChain, expectTextNow, textNow } from "./certificate-text.ts";
import type { Beginning } from "./coverage-oracle.ts";
import type { CoverageScene } from "./coverage-scene.ts";
import { ask, cancel, countAgain, drawSample, settle, voidSample } from "./history-again.ts";
import { beginAnew, decide, finish, keySheet, printSheet, scan, voidSheet } from "./history-counting.ts";
import { account, openArea, tell, tellAsStranger } from "./history-devices.ts";
import { adjust, doWithout, leave, say, search, tidy } from "./history-office.ts";
import { HistoryRun } from "./history-run.ts";
import type { Step } from "./random-steps.ts";

type Coverage = Awaited<ReturnType<CoverageScene["read"]>>;

/** The newest certificate that held, and what was so then. */
interface Issued {
  readonly version: number;
  readonly snapshot: string;
  readonly text: ReturnType<typeof textNow>;
}

/** The session of a scene, done by calls and kept by the oracle. Steps that nobody could take now are passed over. */
export class RandomHistory {
  private readonly run: HistoryRun;
  private readonly beginning: Beginning;
  private readonly follows: boolean;
  private issued: Issued | null = null;
  /** Somebody has issued the certificate since it was looked at. */
  private wasAsked = false;

  constructor(
    scene: CoverageScene,
    { beginning, follows }: { readonly beginning: Beginning; readonly follows: boolean },
    met: Map<string, number>,
  ) {
    this.run = new HistoryRun(scene, beginning, met);
    this.beginning = beginning;
    this.follows = follows;
  }

  private get oracle() {
    return this.run.oracle;
  }

  /** Does the step, and looks what came of it where anything was done. */
  async live(step: Step): Promise<void> {
    if (await this.perform(step)) await this.expectSame();
  }

  async end(): Promise<void> {
    await this.run.scene.end();
    this.oracle.end();
    await this.expectSame();
  }

  /** Every version is in the log, each with the hash of the one before. */
  async conclude(): Promise<void> {
    if (this.issued !== null) await expectChain(this.run, this.issued.version);
  }

  private perform(step: Step): Promise<boolean> {
    const { run, oracle } = this;
    switch (step.act) {
      case "scan":
        return scan(run, step);
      case "decide":
        return decide(run, oracle.waiting[step.pick % Math.max(1, oracle.waiting.length)], step.accept);
      case "say":
        return say(run, [step.area], step);
      case "leave":
        return leave(run, [step.sku], step.leftAlone);
      case "settle":
        return settle(run, step);
      case "tidy":
        return tidy(run, step.what);
      case "void_sheet":
        return voidSheet(run);
      case "finish":
        return finish(run, step.area);
      case "begin_anew":
        return beginAnew(run, step.area);
      case "ask":
        return ask(run, step.area);
      case "count_again":
        return countAgain(run, step);
      case "cancel":
        return cancel(run, step.area);
      case "draw_sample":
        return drawSample(run, step);
      case "void_sample":
        return voidSample(run);
      case "print_sheet":
        return printSheet(run, step.area);
      case "key_sheet":
        return keySheet(run, step);
      case "open_area":
        return openArea(run, step);
      case "tell":
        return tell(run, step.device, step.pending);
      case "tell_as_stranger":
        return tellAsStranger(run, step);
      case "account":
        return account(run, [step.device], step.stated);
      case "do_without":
        return doWithout(run, [step.sku], step.stated);
      case "search":
        return search(run, step);
      case "adjust":
        return adjust(run, step);
      case "issue":
        return this.issue();
    }
  }

  private async issue(): Promise<boolean> {
    const { status } = await this.run.scene.issue();
    expect(status).toBe(this.oracle.isAnythingOpen() ? 409 : 201);
    this.wasAsked = status === 201;
    return true;
  }

  /** What the server says is open is what is; a certificate never holds while anything is, nor after anything changed. */
  private async expectSame(): Promise<void> {
    const isDone = this.oracle.ended && !this.oracle.isAnythingOpen();
    const { open, certificate, canIssue } = await this.read(isDone);
    expect(Object.fromEntries(open.map(({ kind, count }) => [kind, count]))).toEqual(this.oracle.open());
    const isValid = certificate?.valid === true;
    expect(canIssue).toBe(isDone && !isValid);
    if (isValid) {
      expect(isDone).toBe(true);
      await this.expectToHold(certificate.version);
    } else if (isDone) expect(this.issued?.snapshot).not.toBe(this.oracle.snapshot());
    if (!isValid) expect(certificate === null).toBe(this.issued === null);
    this.wasAsked = false;
  }

  /** Where the server issues further versions itself, what is done has one soon. */
  private async read(isDone: boolean): Promise<Coverage> {
    const { scene } = this.run;
    let coverage = await scene.read();
    if (!this.follows || !isDone || this.issued === null || coverage.certificate?.valid === true)
      return coverage;
    const isValid = async () => {
      coverage = await scene.read();
      return coverage.certificate?.valid;
    };
    await expect.poll(isValid, { interval: 10, timeout: 60_000 }).toBe(true);
    this.run.meet("versions of the server's own");
    return coverage;
  }

  private async expectToHold(version: number): Promise<void> {
    this.run.meet("certificates that held");
    if (version === this.issued?.version) {
      expect(textNow(this.oracle)).toEqual(this.issued.text);
      return;
    }
    const previous = this.issued?.version ?? 0;
    if (this.follows) expect(version).toBeGreaterThan(previous);
    else expect([version, this.wasAsked]).toEqual([previous + 1, true]);
    await expectTextNow(this.run);
    this.issued = { version, snapshot: this.oracle.snapshot(), text: textNow(this.oracle) };
    const { scope, leftOut } = this.beginning;
    if (scope === "partial") this.run.meet("versions of partial counts");
    if (leftOut.length > 0) this.run.meet("versions of planned counts");
  }
}
