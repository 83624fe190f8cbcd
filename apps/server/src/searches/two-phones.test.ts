import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { join } from "../testing/scenes.ts";
import { SearchScene } from "./testing-search-scene.ts";

const scene = new SearchScene();
const sku = "JK-1000";

test("what one person has said last on two phones is told as the state of the SKU goes by it, so that it can be decided", async () => {
  const again = await join(scene.server, scene.session, { name: "Ada (2)", email: "ada@example.com" });
  await scene.create({ skus: [sku] });
  await scene.server.database.pool.query(
    "insert into stock_readings (session_id, sku, read_at, on_hand) values ($1, $2, clock_timestamp(), 12)",
    [scene.session._id, sku],
  );
  await scene.say(scene.ada, sku, "not_there");
  expect(await scene.item(sku)).toMatchObject({ state: "not_there", movedSince: false });
  // Said before the stock came in, and sent after what the other phone says.
  await scene.say(again, sku, "not_there", 1, "other phone", {
    saidAgoMs: contract.limits.searchAnswerAgeMs,
  });
  const item = await scene.item(sku);
  expect(item).toMatchObject({ state: "contradicted", movedSince: true });
  expect(item?.answers.map(({ username }) => username)).toEqual(["Ada (2)", "Ada"]);
});
