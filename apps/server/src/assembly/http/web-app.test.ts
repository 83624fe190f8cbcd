import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import * as contract from "@stocktake/contract";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handleErrors, refuseUnreadablePath } from "./error-handler.ts";
import { serveWebApp } from "./web-app.ts";

let folder: string;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stocktake-web-"));
  await mkdir(join(folder, "web", "assets"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "a secret beside the web app");
  await writeFile(join(folder, "web", "index.html"), "<!doctype html><title>Stocktake</title>");
  await writeFile(join(folder, "web", "assets", "app-1a2b3c.js"), "export {};");
  await writeFile(join(folder, "web", "assets", "app-1a2b3c.js.gz"), gzipSync("export {};"));
  const hints = {
    "/counter/scan": "</assets/scan.js>; rel=modulepreload",
    "/counter": "</assets/app-1a2b3c.js>",
  };
  await writeFile(join(folder, "web", "page-hints.json"), JSON.stringify(hints));
  app = fastify({ frameworkErrors: refuseUnreadablePath });
  handleErrors(app);
  app.get("/api/things/:id/parts", async () => ({}));
  await serveWebApp(app, join(folder, "web"));
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** A request whose path reaches the server as it is written; fetch would tidy it up. */
async function askFor(path: string): Promise<{ status: number; body: string }> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asking = httpRequest({ host, port, path }, async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) });
    });
    asking.on("error", reject).end();
  });
}

async function linkOf(path: string, cookie = "stocktake_session=a-login"): Promise<string | null> {
  return (await fetch(url + path, { headers: { cookie } })).headers.get("link");
}

function linkToCall(address: string): string {
  return `<${address}>; rel=preload; as=fetch; crossorigin=use-credentials`;
}

describe("the page of a report", () => {
  const session = "0b54b7b4-7c1e-4c0e-9e1e-3f6f4d9e1a11";
  const identity = linkToCall("/api/auth/me");

  test.each([
    [`session=${session}`, "variances"],
    [`show=counted&session=${session}`, "variances"],
    [`session=${session}&show=all`, "all"],
    [`session=${session}&show=all&show=counted`, "all"],
    [`session=${session}&session=1`, "variances"],
  ])("names the report that %s leads to", async (search, view) => {
    const report = linkToCall(`/api/report/variance/${session}?view=${view}`);
    expect(await linkOf(`/admin/reports?${search}`)).toBe(`${report}, ${identity}`);
  });

  test("names none to whoever is not signed in", async () => {
    expect(await linkOf(`/admin/reports?session=${session}`, "other=1")).toBe(identity);
  });

  test.each([
    "",
    "?session=",
    "?session=1",
    "?session=x%3E%3B%20rel%3Dpreload%2C%20%3C/api/things",
    `?session=1&session=${session}`,
    `?session=${session}%0d%0ax-y:%20z`,
  ])("names none where its address has none: %s", async (search) => {
    expect(await linkOf(`/admin/reports${search}`)).toBe(identity);
  });
});

describe("the web app's files", () => {
  test("are the only ones", async () => {
    const up = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "....//", ".%00./", "%c0%ae%c0%ae/"];
    for (const path of up.flatMap((step) => [
      `/${step}secret.txt`,
      `/assets/${step}${step}secret.txt`,
      `//${step}secret.txt`,
    ])) {
      expect([path, (await askFor(path)).body]).not.toEqual([path, expect.stringContaining("a secret")]);
    }
    expect((await askFor(`${folder}/secret.txt`)).body).not.toContain("a secret");
  });

  test("lie beside the screens, which all are the one page", async () => {
    expect(await askFor("/assets/app-1a2b3c.js")).toEqual({ status: 200, body: "export {};" });
    for (const path of ["/", "/admin/reports", "/counter?x=/api/"]) {
      expect((await askFor(path)).body).toContain("<title>Stocktake</title>");
    }
  });

  test("are named with the page that will ask for them, behind the call that it begins with", async () => {
    const identity = linkToCall("/api/auth/me");
    expect(await linkOf("/counter/scan?x=1")).toBe(`${identity}, </assets/scan.js>; rel=modulepreload`);
    expect(await linkOf("/counter/logins")).toBe(`${identity}, </assets/app-1a2b3c.js>`);
    for (const path of ["/counters", "/login"]) expect([path, await linkOf(path)]).toEqual([path, identity]);
    for (const path of ["/", "/assets/app-1a2b3c.js"])
      expect([path, await linkOf(path)]).toEqual([path, null]);
  });

  test("are sent as the build compressed them, to whoever understands it", async () => {
    const answer = await fetch(`${url}/assets/app-1a2b3c.js`, { headers: { "accept-encoding": "gzip" } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-encoding": "gzip",
      "content-type": expect.stringContaining("javascript"),
      "cache-control": expect.stringContaining("immutable"),
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(await answer.text()).toBe("export {};");
  });

  test("are never sent for an unknown call or a script of an earlier build", async () => {
    for (const path of [
      "/api",
      "/api?x=1",
      "/api/",
      "/api/nothing",
      "/api%2fnothing",
      "//api/../api/x",
      "/assets/app-0.js",
    ]) {
      const { status, body } = await askFor(path);
      if (path.startsWith("//")) expect(body).not.toContain("a secret");
      else
        expect([path, status, contract.ErrorBody.parse(JSON.parse(body)).code]).toEqual([
          path,
          404,
          "NOT_FOUND",
        ]);
    }
  });

  test("take no address over whose id is too long for a call", async () => {
    const { status, body } = await askFor(`/api/things/${"x".repeat(301)}/parts`);
    expect([status, contract.ErrorBody.parse(JSON.parse(body)).code]).toEqual([404, "NOT_FOUND"]);
  });
});
