import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync } from "vite";
import { isNode, nodesUnder } from "../structure/syntax.ts";
import { applyChange } from "./mutant.ts";

/*
 * Which functions of the changed files a test runs: only such tests can notice a mutant. The files are served with a line
 * at the start of each function that notes, once a process, that it was entered.
 */

interface Body {
  readonly start: number;
  readonly end: number;
}

function bodiesOf(path: string, text: string): Body[] {
  const { program } = parseSync(path, text);
  return [...nodesUnder(program.body)].flatMap(({ type, body }) =>
    /Function/.test(type) && isNode(body) && body.type === "BlockStatement"
      ? [{ start: body.start, end: body.end }]
      : [],
  );
}

/** The innermost function around an offset, by its start; null for what runs when the file is loaded. */
export function bodyAround(path: string, text: string, offset: number): number | null {
  const around = bodiesOf(path, text).filter(({ start, end }) => start <= offset && offset < end);
  return around.length === 0 ? null : Math.max(...around.map(({ start }) => start));
}

/** Where tests' processes write what they enter: in a file, as they may be killed. */
export class EnteredFunctions {
  private readonly folder = mkdtempSync(join(tmpdir(), "mutants-"));
  private readonly log = join(this.folder, "entered");

  /** The text of a file that notes what is entered. */
  instrument(path: string, text: string): string {
    return bodiesOf(path, text)
      .sort((one, other) => other.start - one.start)
      .reduce((changed, { start }) => {
        const note = this.noteOf(path, start);
        return applyChange(changed, { start: start + 1, end: start + 1, replacement: note, kind: "" });
      }, text);
  }

  private noteOf(path: string, start: number): string {
    const key = JSON.stringify(`${path} ${start}`);
    const write = `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(this.log)}, ${key} + "\\n")`;
    return `(globalThis.entered ??= new Set()).has(${key}) || (globalThis.entered.add(${key}), ${write});`;
  }

  /** What was entered since it was last asked. */
  take(): ReadonlySet<string> {
    const entered = existsSync(this.log) ? readFileSync(this.log, "utf8").split("\n") : [];
    rmSync(this.log, { force: true });
    return new Set(entered);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
