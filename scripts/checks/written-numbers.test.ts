import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "@stocktake/contract";
import { expect, test } from "vitest";
import { root } from "./sources.ts";

/** A document as one line, whatever its lines break at. */
const read = (path: string) => readFileSync(join(root, path), "utf8").replaceAll(/\s+/g, " ");

test("docs/API.md tells the limits of asking by a session code that the contract has", () => {
  const { waitingPerCode, waitingPerAddress, asksPerCode, asksPerAddress } = limits;
  const api = read("docs/API.md");
  expect(api).toContain(
    `${waitingPerCode} may wait at a code, ${waitingPerAddress} of them from one address; ${asksPerCode} asks by a code and ${asksPerAddress} from one address in 15 minutes (429)`,
  );
});

test("docs/SECURITY.md tells how many calls need no login, as docs/AUTHORISATION.md lists them", () => {
  const table = /## Without a login(.*?)## Signed in/.exec(read("docs/AUTHORISATION.md"))?.[1] ?? "";
  const calls = table.match(/\| `(?:GET|POST|PUT|PATCH|DELETE) /g) ?? [];
  expect(read("docs/SECURITY.md")).toContain(`but the ${calls.length} of the first table there`);
});
