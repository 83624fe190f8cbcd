/*
 * A test file once for each of several mutants, in one process: in place of the file vitest gets one that imports it
 * again and again, each time in a suite of its own which switches the mutant on (see switched.ts).
 */

const mark = "?mutant=";

export function isPartOfBatch(id: string): boolean {
  return id.includes(mark);
}

export function partOf(id: string): string {
  return id.slice(0, id.indexOf(mark));
}

export const noMutant = -1;

const suiteName = "mutant ";

export function mutantOfSuite(name: string): number {
  return Number(name.slice(suiteName.length));
}

export function batchOf<Member>(members: readonly Member[], size: number): Member[][] {
  const count = Math.ceil(members.length / size);
  return Array.from({ length: count }, (_, index) => members.slice(index * size, (index + 1) * size));
}

function suiteOf(path: string, id: number): string {
  return `
describe("${suiteName}${id}", async () => {
  let isKilled = false;
  beforeAll(() => { globalThis.mutant = ${id}; });
  afterAll(() => { globalThis.mutant = ${noMutant}; });
  beforeEach(({ skip }) => { if (isKilled) skip(); });
  afterEach(({ task }) => { isKilled ||= task.result?.state === "fail"; });
  await import(${JSON.stringify(`${path}${mark}${id}`)});
});`;
}

/** The text of a test file that runs another for each of the mutants, up to the first failure. Each test may take so long. */
export function batchTest(path: string, ids: readonly number[], timeoutMs: number): string {
  const begin = [
    'import { afterAll, afterEach, beforeAll, beforeEach, describe, vi } from "vitest";',
    `vi.setConfig({ testTimeout: ${timeoutMs}, hookTimeout: ${timeoutMs} });`,
  ];
  return [...begin, ...ids.map((id) => suiteOf(path, id))].join("\n");
}
