import { expect, it } from "vitest";
import { hear, restore, sendAll } from "../testing/after-restore.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";

const ben = "user-2";
const reset = { kind: "reset", area: areaOne } as const;
const anew = { ...areaOne, pass: 2 };
const finish = { kind: "finish", area: anew, declaredTotal: 1 } as const;

const makers = ({ server }: EngineHarness) =>
  server.calls
    .filter(({ path }) => path.startsWith("/api/area/"))
    .map(({ path, body }) => [path, Object(body).madeById]);

/** The server knows nobody by the id of who made the row. */
function unknownMaker({ server }: EngineHarness): void {
  const details = [{ field: "madeById", message: "madeById must name a user of this session." }];
  server.faults.push({ kind: "answers", status: 400, body: { error: "Who?", code: "VALIDATION", details } });
}

it("S18: a reset and a finish name who made them, whoever is signed in when they are sent; rows of before name nobody", async () => {
  const harness = await createEngineHarness();
  await harness.operate({ ...reset, madeById: ben });
  await harness.scan("one", anew);
  await harness.operate({ ...finish, madeById: ben });
  await harness.operate({ ...finish, area: { ...anew, areaCode: "A2" } });
  await harness.run();
  expect(makers(harness)).toEqual([
    ["/api/area/reset", ben],
    ["/api/area/finish", ben],
    ["/api/area/finish", undefined],
  ]);
});

it("S31: a finish that did not match names who made it when it is made again as a reset", async () => {
  const harness = await createEngineHarness();
  const bringBack = harness.server.backup();
  await sendAll(harness, "one");
  await harness.operate({ ...finish, area: areaOne, declaredTotal: 9, madeById: ben });
  await harness.run();
  await restore(harness, bringBack);
  await hear(harness, anew);
  expect(makers(harness)).toContainEqual(["/api/area/reset", ben]);
});

it("S30: what somebody made whom a restored server does not know is sent as that of whoever is signed in, and keeps its place", async () => {
  const harness = await createEngineHarness();
  await harness.operate({ ...reset, madeById: ben });
  await harness.scan("one", anew);
  unknownMaker(harness);
  await harness.run();
  expect(makers(harness)).toEqual([
    ["/api/area/reset", ben],
    ["/api/area/reset", undefined],
  ]);
  expect(await harness.database.getAll("pendingSubmissions")).toMatchObject([
    { synced: true, refusal: null },
  ]);
  expect(await harness.database.getAll("pendingScans")).toMatchObject([{ pass: 2, synced: true }]);
  const settled = harness.events.filter(({ type }) => type === "operation_settled");
  expect(settled).toHaveLength(1);
});

it("S30: it is refused only if it is still not taken without the name", async () => {
  const harness = await createEngineHarness();
  await harness.operate({ ...reset, madeById: ben });
  unknownMaker(harness);
  unknownMaker(harness);
  await harness.run();
  expect(makers(harness)).toHaveLength(2);
  expect(await harness.database.getAll("pendingSubmissions")).toMatchObject([
    { refusal: { code: "VALIDATION" } },
  ]);
});
