import * as contract from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { alarming } from "../auth/watch-guessing.ts";
import { adminPassword } from "../testing/test-server.ts";
import { NoticeScene } from "./testing-notice-scene.ts";

const scene = new NoticeScene();
const { query, subjectsSent, signIn, markIn, noticed, guess } = scene;

describe("the dashboard warns of guessing", () => {
  test("in one browser that is known, apart from that of strangers", async () => {
    const known = { cookie: markIn(await signIn(adminPassword)).split(";")[0] ?? "" };
    await signIn("a guess", known);
    await query(`insert into failed_logins (kind, account, address, mark, failed_at)
      select kind, account, address, mark, now() - interval '1 hour'
      from failed_logins, generate_series(1, ${alarming.inOneBrowser - 1})`);
    expect(await noticed()).toEqual([]);
    await signIn("a guess", known);
    expect(await noticed()).toMatchObject([
      { login: "admin", knownBrowser: true, wrongPasswords: alarming.inOneBrowser + 1 },
    ]);
    await guess(alarming.lately + 1);
    expect(await noticed()).toHaveLength(2);
    expect(await subjectsSent()).toContain("Stocktake: Somebody is guessing passwords in a known browser");
  });

  test("not again by somebody else's typing error, hours after it was put away", async () => {
    const [known, other] = [await signIn(adminPassword), await signIn(adminPassword)].map((answer) => ({
      cookie: markIn(answer).split(";")[0] ?? "",
    }));
    await signIn("a guess", known);
    await query(`insert into failed_logins (kind, account, address, mark, failed_at)
      select kind, account, address, mark, now() - interval '3 hours'
      from failed_logins, generate_series(1, ${alarming.inOneBrowser + 5})`);
    for (const browser of [other, {}]) await signIn("a guess", browser);
    expect(await noticed()).toEqual([]);
    await guess(alarming.today + 1);
    await query("delete from notices; update failed_logins set failed_at = failed_at - interval '2 hours'");
    await signIn("a guess", other);
    expect(await noticed()).toEqual([]);
  });

  test("with its figures, until it is put away", async () => {
    await guess(alarming.lately);
    expect(await noticed()).toEqual([]);
    await guess(1);
    const [notice] = await noticed();
    expect(notice).toMatchObject({ login: "admin", wrongPasswords: 31, addresses: 7 });
    const params = { id: notice?._id ?? "" };
    await scene.admin.call(contract.dismissNotice, { params });
    expect(await noticed()).toEqual([]);
    expect((await scene.admin.refusal(contract.dismissNotice, { params })).status).toBe(404);
    await guess(1);
    expect(await noticed()).toEqual([]);
  });

  test("as it goes on, and of slow guessing that takes a day", async () => {
    await guess(alarming.today + 1, "198.51.100.");
    await query("update notices set last_at = last_at - interval '11 seconds'");
    await guess(20, "192.0.2.");
    expect(await noticed()).toMatchObject([{ wrongPasswords: 121, addresses: 14 }]);
    await query(
      "delete from notices; update failed_logins set failed_at = failed_at - interval '20 minutes'",
    );
    await guess(1);
    expect(await noticed()).toHaveLength(1);
  });

  test("from wrong passwords as people send them", async () => {
    await query(`insert into failed_logins (kind, account, address)
      select 'admin', 'x', '203.0.113.' || number from generate_series(1, ${alarming.lately}) number`);
    expect((await signIn("a guess")).status).toBe(401);
    expect(await noticed()).toMatchObject([{ login: "admin", wrongPasswords: alarming.lately + 1 }]);
  });
});
