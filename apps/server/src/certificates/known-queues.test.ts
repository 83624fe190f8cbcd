import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import type { TestCounter } from "../testing/scenes.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene({ follows: false });

test("a certificate says of each device what is known of its queue, of one that was never heard of nothing; none of it leaves anything open", async () => {
  const open = ({ api, username }: TestCounter, told: { readonly tellsQueue?: "true" }) => {
    const query = { sessionId: scene.session._id, deviceId: `phone of ${username}`, ...told };
    return api.call(contract.deviceMaxSequence, { query });
  };
  await open(scene.ada, { tellsQueue: "true" });
  await open(scene.ben, {});
  await open(scene.cleo, { tellsQueue: "true" });
  await scene.scan("A1", "BELT-1", { by: scene.ben });
  await scene.reset("A1");
  await scene.complete();
  await scene.issue();
  const [certificate] = await scene.versions();
  expect(JSON.parse(certificate?.text ?? "")).toMatchObject({
    devices: [
      { device: "phone of Ada", person: "Ada", emptyAt: expect.any(String) },
      { device: "phone of Ben", person: "Ben", emptyAt: null, scansSentAt: expect.any(String) },
      { device: "phone of Cleo", person: "Cleo", emptyAt: null },
    ],
    figures: { devices: 2, devicesTellingScansAlone: 1, devicesNeverHeard: 1 },
  });
});
