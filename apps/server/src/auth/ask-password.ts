import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReadStream } from "node:tty";

/** Where a command reads from: a terminal, or whatever is piped into it. */
export type CommandInput = NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;

/** The person at the terminal pressed Ctrl-C or Ctrl-D. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/**
 * Reads the lines that are piped in, one for each prompt where there are as many; or asks at the terminal, showing nothing of what is typed.
 * `ask` is called with each prompt. Throws GivenUp.
 */
export async function readPassword(
  input: CommandInput,
  prompts: readonly string[],
  show: (line: string) => void,
) {
  if (input.isTTY !== true) return (await text(input)).replace(/\r?\n$/, "").split(/\r?\n/);
  return askHidden(input, prompts, show);
}

/** Answers without echo: readline edits the line on a terminal that swallows it. */
async function askHidden(
  input: CommandInput,
  prompts: readonly string[],
  show: (line: string) => void,
): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const givenUp = new Promise<never>((_resolve, reject) => {
    lines.once("close", () => reject(new GivenUp("Nothing was changed.")));
  });
  try {
    const answers: string[] = [];
    for (const prompt of prompts) {
      show(prompt);
      answers.push(await Promise.race([lines.question(""), givenUp]));
      show("\n");
    }
    return answers;
  } finally {
    givenUp.catch(() => undefined);
    lines.close();
  }
}
