import { type Beginning, CoverageOracle } from "./coverage-oracle.ts";
import type { CoverageScene } from "./coverage-scene.ts";

/** The session of a scene beside the oracle's account of it: what the steps of a history share. */
export class HistoryRun {
  readonly scene: CoverageScene;
  readonly oracle: CoverageOracle;
  /** The search list of each SKU. */
  readonly lists = new Map<string, number>();
  sheets = 0;
  /** How often each thing happened that is worth a certificate's word. */
  readonly met: Map<string, number>;

  constructor(scene: CoverageScene, beginning: Beginning, met: Map<string, number>) {
    this.scene = scene;
    this.oracle = new CoverageOracle(beginning);
    this.met = met;
  }

  get admin() {
    return this.scene.server.admin;
  }

  get params() {
    return this.scene.params;
  }

  meet(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}
