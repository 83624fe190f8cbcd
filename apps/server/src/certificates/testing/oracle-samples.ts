/** What became of the control count of an area: `lost` once it is over without a result. */
type Control = "open" | "third" | "counted" | "lost";

/** The control samples of a session, as docs/SAMPLES.md says what becomes of them. */
export class OracleSamples {
  private readonly drawn: { isVoid: boolean; readonly areas: Map<string, Control> }[] = [];

  draw(codes: readonly string[]): number {
    return this.drawn.push({ isVoid: false, areas: new Map(codes.map((code) => [code, "open"])) });
  }

  get(number: number): ReadonlyMap<string, Control> {
    return this.drawn[number - 1]?.areas ?? new Map();
  }

  become(number: number | null, code: string, control: Control): void {
    if (number !== null) this.drawn[number - 1]?.areas.set(code, control);
  }

  declareVoid(number: number): void {
    const sample = this.drawn[number - 1];
    if (sample !== undefined) sample.isVoid = true;
  }

  statuses(): readonly ("counting" | "finished" | "void")[] {
    return this.drawn.map(({ isVoid, areas }) => {
      const controls = [...areas.values()];
      if (isVoid || controls.includes("lost")) return "void";
      return controls.every((control) => control === "counted") ? "finished" : "counting";
    });
  }

  /** The number of the one that is being counted; null for none. */
  counting(): number | null {
    const index = this.statuses().indexOf("counting");
    return index < 0 ? null : index + 1;
  }
}
