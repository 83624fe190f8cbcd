import * as contract from "@stocktake/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { addAuthenticator } from "../auth/testing/factor-scene.ts";
import { alarming } from "../auth/watch-guessing.ts";
import { adminPassword, tokenOf } from "../testing/test-server.ts";
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

  test("though an earlier one was noted by a clock that was ahead, and has been set back", async () => {
    await guess(alarming.lately + 1);
    const [earlier] = await noticed();
    await query("update notices set last_at = last_at + interval '2 months'");
    await scene.admin.call(contract.dismissNotice, { params: { id: earlier?._id ?? "" } });
    await guess(1);
    expect(await noticed()).toMatchObject([{ login: "admin", wrongPasswords: alarming.lately + 2 }]);
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

  test("at second factors where one is asked for again, which a right one takes back", async () => {
    onTestFinished(async () => {
      await query("delete from authenticator_apps; delete from recovery_codes");
    });
    const { headers } = await signIn(adminPassword);
    const { recoveryCodes } = await addAuthenticator(scene.server.as(tokenOf(headers)));
    const cookie = headers.getSetCookie().map((text) => text.split(";")[0]);
    const prove = async (body: contract.Proof) =>
      (await scene.server.stranger.send(contract.giveProof, { body }, { cookie: cookie.join("; ") })).status;
    for (let wrong = 0; wrong < alarming.secondFactors; wrong += 1) {
      expect(await prove({ method: "recovery_code", code: "a guess" })).toBe(400);
    }
    expect(await noticed()).toEqual([]);
    expect(await prove({ method: "code", code: "000000" })).toBe(400);
    expect(await noticed()).toMatchObject([
      { login: "second_factor", knownBrowser: true, wrongPasswords: alarming.secondFactors + 1 },
    ]);
    const mail = (await scene.mailsSent()).find(({ body }) => body.includes("wrong ones"));
    expect(mail?.body).toContain("or uses a browser in which you are signed in");
    expect(await prove({ method: "recovery_code", code: recoveryCodes[0] ?? "" })).toBe(200);
    const { rows } = await query("select from failed_logins");
    expect(rows).toEqual([]);
  });

  test("from wrong passwords as people send them", async () => {
    await query(`insert into failed_logins (kind, account, address)
      select 'admin', 'x', '203.0.113.' || number from generate_series(1, ${alarming.lately}) number`);
    expect((await signIn("a guess")).status).toBe(401);
    expect(await noticed()).toMatchObject([{ login: "admin", wrongPasswords: alarming.lately + 1 }]);
  });
});
