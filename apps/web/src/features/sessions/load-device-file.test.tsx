import { postScanBatch, undoScan } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { areaOne } from "../../offline/testing/engine-harness.ts";
import { openPage } from "../../testing/open-page.tsx";
import type { LoadReport } from "./load-queue.ts";
import {
  adminServer,
  loadQueue,
  type Result,
  savedQueue,
  scanAndUndo,
  sentScans,
  stored,
} from "./testing/saved-queues.ts";

function conflict(nextSeq: number): Result {
  return { httpStatus: 409, error: "Taken.", code: "SEQ_CONFLICT", nextSeq };
}

const notFound: Result = { httpStatus: 404, error: "The area was not found.", code: "NOT_FOUND" };
const unknownScanner: Result = {
  ...{ httpStatus: 400, error: "scannedById must name a user of this session.", code: "VALIDATION" },
  details: [{ field: "scannedById", message: "scannedById must name a user of this session." }],
};
const busy: Result = { httpStatus: 503, error: "The server is busy.", code: "OVERLOADED" };

describe("loading a device's saved queue", () => {
  it("S29: sends every scan under its own device, number, operation id and counter, and reports the outcome", async () => {
    const file = await savedQueue(async (harness) => {
      for (const input of ["one", "unknown-two", "three"]) await harness.scan(input);
    });
    const sent = adminServer().answer(postScanBatch, (call) => {
      const [one, two, three] = sentScans(call);
      if (one === undefined || two === undefined || three === undefined) throw new Error("Not all came.");
      return { results: [stored(one, "counted", true), stored(two, "unresolved"), stored(three, "late")] };
    });
    expect(await loadQueue(file)).toEqual<LoadReport>({
      ...{ counted: 1, late: 1, unresolved: 1, voided: 0, known: 1, leftOut: 0, undone: 0 },
      ...{ refused: [], toDecide: [] },
    });
    expect(sent[0]?.body).toMatchObject({
      scans: file.unsent.scans.map(({ opId, seq }) => ({
        opId,
        seq,
        deviceId: "device-1",
        scannedById: "user-1",
      })),
    });
  });

  it("S29: a number that another scan has is changed and the scan sent again under its operation id", async () => {
    const file = await savedQueue((harness) => harness.scan("one"));
    const sent = adminServer().answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => (scan.seq < 40 ? conflict(40) : stored(scan))),
    }));
    expect(await loadQueue(file)).toMatchObject({ counted: 1, refused: [] });
    expect(sent.flatMap(sentScans).map(({ seq }) => seq)).toEqual([1, 40]);
    expect(new Set(sent.flatMap(sentScans).map(({ opId }) => opId)).size).toBe(1);
  });

  it("S29: what was undone is undone on the server too, by the number that the server has", async () => {
    const file = await savedQueue(scanAndUndo);
    const server = adminServer();
    server.answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => stored({ ...scan, seq: scan.seq + 50 })),
    }));
    const undos = server.answer(undoScan, { undone: { seq: 52, sku: "undone" } });
    expect(await loadQueue(file)).toMatchObject({ counted: 1, undone: 1, leftOut: 0 });
    expect(undos.map(({ body }) => Object(body).seq)).toEqual([52]);
  });

  it("S29: a scan that is late can't be undone, and is reported as late", async () => {
    const file = await savedQueue(scanAndUndo);
    const server = adminServer();
    server.answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => stored(scan, "late")),
    }));
    server.refuse(undoScan, "NOTHING_TO_UNDO", "This device has no scan in this area that can be undone.");
    expect(await loadQueue(file)).toMatchObject({ late: 2, undone: 0, refused: [] });
  });

  it.each([
    ["NOTHING_TO_UNDO", false, { late: 1, undone: 1, refused: 0 }],
    ["PASS_OVER", false, { late: 1, undone: 1, refused: 0 }],
    ["PASS_OVER", undefined, { late: 1, undone: 1, refused: 0 }],
    ["AREA_CLOSED", false, { late: 1, undone: 1, refused: 0 }],
    ["AREA_CLOSED", true, { late: 2, undone: 0, refused: 1 }],
    ["AREA_CLOSED", undefined, { late: 2, undone: 0, refused: 1 }],
  ] as const)(
    "S29, S16: an undo that is refused with %s is done where the scan does not count on (%s)",
    async (code, countsOn, expected) => {
      const file = await savedQueue(scanAndUndo);
      const server = adminServer();
      server.answer(postScanBatch, (call) => ({
        results: sentScans(call).map((scan) => stored(scan, "late")),
      }));
      const body = { error: "The server says why.", code, countsOn };
      server.answerWith(undoScan, () => Response.json(body, { status: 409 }));
      const { late, undone, refused } = await loadQueue(file);
      expect({ late, undone, refused: refused.length }).toEqual(expected);
    },
  );

  it.each([
    [false, { late: 1, undone: 1 }],
    [true, { late: 2, undone: 0 }],
    [undefined, { late: 2, undone: 0 }],
  ])(
    "S29, S16: in an ended session too, what was undone is sent and undone by the number that the server has (%s)",
    async (countsOn, expected) => {
      const file = await savedQueue(scanAndUndo);
      const server = adminServer("closed");
      // Another phone with a copy of the storage has sent a scan of its own under each number.
      const sent = server.answer(postScanBatch, (call) => ({
        results: sentScans(call).map((scan) => (scan.seq < 40 ? conflict(40) : stored(scan, "late"))),
      }));
      const body = { error: "This session has ended.", code: "SESSION_CLOSED", countsOn };
      const undos = server.answerWith(undoScan, () => Response.json(body, { status: 409 }));
      expect(await loadQueue(file)).toMatchObject({ ...expected, leftOut: 0, refused: [] });
      expect(sent.map((call) => sentScans(call).map(({ input, seq }) => [input, seq]))).toEqual([
        [
          ["kept", 1],
          ["undone", 2],
        ],
        [
          ["kept", 40],
          ["undone", 41],
        ],
      ]);
      expect(undos.map((call) => Object(call.body).seq)).toEqual([41]);
    },
  );

  it("S29, S16: the undo of a scan that the server refuses is not sent: its number may be another phone's", async () => {
    const file = await savedQueue(scanAndUndo);
    const server = adminServer();
    server.answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => (scan.input === "undone" ? notFound : stored(scan))),
    }));
    const undos = server.answer(undoScan, { undone: { seq: 2, sku: "another phone's" } });
    expect(await loadQueue(file)).toMatchObject({ counted: 1, undone: 0, refused: [{ what: "undone" }] });
    expect(undos).toEqual([]);
  });

  it("S29: a finish and a reset are left to a person", async () => {
    const file = await savedQueue(async (harness) => {
      await harness.operate({ kind: "reset", area: areaOne });
      await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 12 });
    });
    adminServer();
    const { toDecide } = await loadQueue(file);
    expect(toDecide.map(({ kind }) => kind)).toEqual(["reset", "finish"]);
  });

  it("S29: a refusal is reported with its scan, and the others go on", async () => {
    const file = await savedQueue(async (harness) => {
      await harness.scan("one");
      await harness.scan("two");
    });
    adminServer().answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => (scan.input === "one" ? notFound : stored(scan))),
    }));
    const { counted, refused } = await loadQueue(file);
    expect(counted).toBe(1);
    expect(refused).toMatchObject([{ what: "one", areaCode: "A1", error: "The area was not found." }]);
  });

  it("S29, S30: a scan of a person whom a restored server does not know is sent once more, in the name of who loads the file", async () => {
    const file = await savedQueue(async (harness) => {
      for (const input of ["one", "two", "three"]) await harness.scan(input);
    });
    let isFirst = true;
    const sent = adminServer().answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => {
        if (scan.scannedById !== undefined) return unknownScanner;
        const result = isFirst ? conflict(40) : stored(scan);
        isFirst = false;
        return result;
      }),
    }));
    expect(await loadQueue(file)).toMatchObject({ counted: 3, refused: [] });
    expect(sent.map((call) => sentScans(call).map(({ scannedById = "nobody" }) => scannedById))).toEqual([
      ["user-1", "user-1", "user-1"],
      ["nobody", "nobody", "nobody"],
      ["nobody"],
    ]);
    expect(new Set(sent.flatMap(sentScans).map(({ opId }) => opId)).size).toBe(3);
  });

  it("S29, S30: a scan that names nobody any more and is refused all the same is reported", async () => {
    const file = await savedQueue((harness) => harness.scan("one"));
    const sent = adminServer().answer(postScanBatch, { results: [unknownScanner] });
    const { refused } = await loadQueue(file);
    expect(refused).toMatchObject([{ what: "one", error: "scannedById must name a user of this session." }]);
    expect(sent).toHaveLength(2);
  });

  it("S29, S30: what the device sent without the name of its person goes without it from the start", async () => {
    const file = await savedQueue(async ({ database, scan }) => {
      await database.put("pendingScans", { ...(await scan("one")), isScannerUnknown: true });
    });
    const sent = adminServer().answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => stored(scan)),
    }));
    expect(await loadQueue(file)).toMatchObject({ counted: 1 });
    expect(sent.flatMap(sentScans).map(({ scannedById }) => scannedById)).toEqual([undefined]);
  });

  it("S29: a server that can't do it for minutes stops the loading with its words", async () => {
    const file = await savedQueue((harness) => harness.scan("one"));
    adminServer().answer(postScanBatch, () => ({
      results: [busy],
    }));
    await expect(loadQueue(file)).rejects.toThrow("The server is busy.");
  });
});

describe("the sessions page", () => {
  async function choose(text: string): Promise<void> {
    openPage("/admin/sessions");
    const section = within(await screen.findByRole("region", { name: "Import a device's scans" }));
    const input = section.getByLabelText("Choose File", { selector: "input" });
    await userEvent.upload(input, new File([text], "queue.json", { type: "application/json" }));
  }

  it("S29: loads a device's file after showing what it holds", async () => {
    const file = await savedQueue(scanAndUndo);
    const server = adminServer();
    server.answer(postScanBatch, (call) => ({ results: sentScans(call).map((scan) => stored(scan)) }));
    server.answer(undoScan, { undone: { seq: 2, sku: "undone" } });
    await choose(JSON.stringify(file));
    const dialog = within(await screen.findByRole("dialog"));
    dialog.getByText("2 scans, 1 undone");
    await userEvent.click(dialog.getByRole("button", { name: "Import Scans" }));
    const table = within(await dialog.findByRole("table", { name: "The file was imported" }));
    table.getByRole("row", { name: "Counted 1" });
    table.getByRole("row", { name: "Undone, as on the device 1" });
  });

  it("S29: shows how many of how many are sent, and that it waits where the server asks for a pause", async () => {
    const file = await savedQueue(async (harness) => {
      for (let made = 0; made < 620; made += 1) await harness.scan(`code-${made}`);
    });
    let calls = 0;
    adminServer().answerWith(postScanBatch, (call) => {
      calls += 1;
      if (calls > 1) {
        const body = { error: "Too many at once.", code: "RATE_LIMITED" };
        return Response.json(body, { status: 429, headers: { "Retry-After": "30" } });
      }
      return Response.json({ results: sentScans(call).map((scan) => stored(scan)) });
    });
    await choose(JSON.stringify(file));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Import Scans" }));
    await dialog.findByText("500 of 620 sent. The server asked for a pause; importing continues by itself.");
    await userEvent.click(dialog.getByRole("button", { name: "Stop" }));
    await dialog.findByText(/^Everything sent so far is stored\. Continue from there now/);
    dialog.getByRole("button", { name: "Continue" });
  });

  it("S29: rejects a file that is something else", async () => {
    adminServer();
    await choose('{"hello":"there"}');
    await screen.findByText(/not a device's saved queue/);
  });
});
