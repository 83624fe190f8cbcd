import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { textsOf, verify } from "./testing/verified.ts";
import {
  areas,
  beginning,
  fileOf,
  first,
  ids,
  ordinary,
  pass,
  row,
  sample,
  scan,
  sha,
} from "./testing/written-file.ts";

describe("the draws of a commitment", () => {
  const links = Array.from({ length: 3 }).reduce<string[]>(
    (row) => [...row, sha(Buffer.from(row.at(-1) ?? "", "hex"))],
    [sha("the first of the row")],
  );
  // The row is hashed towards the commitment, so that its seeds are revealed from there.
  const [third = "", second = "", firstSeed = "", committed = ""] = links;
  const drawnBy = (number: number, seed: string) => {
    const rank = (id: string) => createHmac("sha256", Buffer.from(seed, "hex")).update(id).digest("hex");
    const [chosen] = [...ids].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
    const drawnAreas = ids.map((areaId) => ({ areaId, pass: 1, units: 2, drawn: areaId === chosen }));
    const record = { is: "sample", number, commitment: committed, seed, areas: drawnAreas };
    const facts = { number, seed, areasHash: sha(ids.join("\n")), drawn: [chosen] };
    return { record, entry: ["sample.drawn", facts] as const };
  };
  const textsOfDraws = (seeds: readonly string[], before: readonly (readonly [string, unknown])[]) => {
    const draws = seeds.map((seed, index) => drawnBy(index + 1, seed));
    const log = [...before, ...draws.map(({ entry }) => entry)];
    return textsOf(fileOf([pass, ...draws.map(({ record }) => record), row, scan], log));
  };
  const started = ["session.started", { sampleSeedHash: committed }] as const;
  const skipped = "its seed is not the one that its commitment and the draws before it lead to.";

  it("are by its seeds in their order", async () => {
    expect(await textsOfDraws([firstSeed, second, third], [started])).toEqual([]);
  });

  it("are none of one that was tried out and passed over, nor of the same one again", async () => {
    expect(await textsOfDraws([second, third], [started])).toEqual([`Control sample 1: ${skipped}`]);
    expect(await textsOfDraws([firstSeed, firstSeed], [started])).toEqual([`Control sample 2: ${skipped}`]);
  });

  it("are told from those that were committed to when areas had closed", async () => {
    const late = ["sample.committed", { hash: committed, closedAreas: 8 }] as const;
    const log = [
      ["session.started", { sampleSeedHash: sha("lost") }] as const,
      late,
      drawnBy(1, firstSeed).entry,
    ];
    const verdict = await verify(fileOf([pass, drawnBy(1, firstSeed).record, row, scan], log));
    expect(verdict).toMatchObject({ faults: [], lateCommitments: 1 });
    expect((await verify(fileOf(ordinary))).lateCommitments).toBe(0);
  });
});

it("has as many areas drawn as the log says, also where those left are the ones that come first", async () => {
  const drawn = [first, ids.find((id) => id !== first)];
  const [started, [action, facts]] = beginning;
  const log = [started, [action, { ...facts, drawn }]] as const;
  const text = "Control sample 1: the log says that another number of areas was drawn.";
  expect(await textsOf(fileOf(ordinary, log))).toEqual([text]);
  const none = { ...sample, areas: areas.map((area) => ({ ...area, drawn: false })) };
  expect(await textsOf(fileOf([pass, none, row, scan]))).toEqual([text]);
});
