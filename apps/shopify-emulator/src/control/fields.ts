/** A control call that cannot be done; the message is for the person who sent it. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the fields of a JSON object; each reader throws a ControlError that names the field. */
export class Fields {
  private readonly values: Record<string, unknown>;

  constructor(value: unknown) {
    if (!isRecord(value)) throw new ControlError(400, "A JSON object is expected.");
    this.values = value;
  }

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  value(name: string): unknown {
    return this.values[name];
  }

  isNull(name: string): boolean {
    return this.values[name] === null;
  }

  text(name: string): string {
    const value = this.values[name];
    if (typeof value === "string") return value;
    throw new ControlError(400, `${name} must be text.`);
  }

  textOrNull(name: string): string | null {
    return this.isNull(name) ? null : this.text(name);
  }

  integer(name: string): number {
    const value = this.values[name];
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    throw new ControlError(400, `${name} must be a whole number.`);
  }

  flag(name: string): boolean {
    const value = this.values[name];
    if (typeof value === "boolean") return value;
    throw new ControlError(400, `${name} must be true or false.`);
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
    const value = this.values[name];
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new ControlError(400, `${name} must be one of ${choices.join(", ")}.`);
  }

  object(name: string): Fields {
    const value = this.values[name];
    if (!isRecord(value)) throw new ControlError(400, `${name} must be an object.`);
    return new Fields(value);
  }

  list(name: string): unknown[] {
    const value = this.values[name];
    if (Array.isArray(value)) return value;
    throw new ControlError(400, `${name} must be a list.`);
  }

  texts(name: string): string[] {
    return this.list(name).map((entry) => {
      if (typeof entry === "string") return entry;
      throw new ControlError(400, `${name} must hold only text.`);
    });
  }
}
