import {
  issueCertificate,
  leaveStockAlone,
  listBeyondTolerance,
  listCertificates,
  listCoveredAreas,
  listUncoveredStock,
  readCoverage,
  stateAreas,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { countAgainPath } from "../../http/count-again.ts";
import { coveragePath } from "../../http/coverage.ts";
import { session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { pressOnceEnabled } from "../../testing/press.ts";
import { area, coverageServer, ended, row } from "./testing/coverage-server.ts";

const active = session({ status: "active", endedAt: null });

const open = [
  { kind: "areas", count: 2, names: ["A3", "A4"] },
  { kind: "empty_areas", count: 1, names: ["A2"] },
  { kind: "stock", count: 1, names: ["TEE-M"] },
  { kind: "sheets", count: 1, names: ["7"] },
] as const;

const coverage = { open: open.map((each) => ({ ...each, names: [...each.names] })), certificate: null };

it("lists what is open with what to do about it, and what can be said of each area", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ ...coverage, canIssue: false });
  const said = server.answer(stateAreas, { changed: 1 });
  await openPage(coveragePath(ended._id));
  await screen.findByText("No coverage certificate: 5 things open");
  screen.getByText("2 areas are not counted");
  const table = await screen.findByRole("table", { name: "Areas to account for" });
  within(table).getByText("Something was counted in it, and nobody has closed it.");
  await user.click(within(table).getByRole("button", { name: "Confirm Empty: A2 · Sales Floor" }));
  await pressOnceEnabled(within(table).getByRole("button", { name: "Don't Count: A3 · Sales Floor" }));
  const dialog = await screen.findByRole("dialog", { name: "Not count these areas?" });
  await user.type(within(dialog).getByLabelText(/Reason/), "Being rebuilt");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await expect
    .poll(() => said.map(({ body }) => body))
    .toEqual([
      { areaIds: ["area-A2"], as: "empty", stated: true },
      { areaIds: ["area-A3"], as: "void", stated: true, reason: "Being rebuilt" },
    ]);
});

it("names areas with their location where another of the page has the code", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ ...coverage, canIssue: false });
  const ofStockroom = { _id: "area-9", code: "A3", name: "A3", locationName: "Stockroom" };
  server.answer(listCoveredAreas, ({ query }) => ({
    areas: query.which === "open" ? [area("A3", {}), area("A4", {}), area("", { area: ofStockroom })] : [],
    ...{ next: null, total: 3 },
  }));
  await openPage(coveragePath(ended._id));
  await user.click(await screen.findByRole("button", { name: "Don't Count All 3…" }));
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText("Areas: A3 (Sales Floor), A4, A3 (Stockroom)");
});

it("names what can still be done while the session counts", async () => {
  coverageServer({ ...coverage, canIssue: false }, active);
  await openPage(coveragePath(active._id));
  await screen.findByText("Have them counted, or say below why they are not.");
  screen.getByText(/Confirm that below, or have them counted a second time\.$/);
  screen.getByText("Have it looked for, or leave it alone on purpose below.");
  screen.getByText("Key what came back, and declare void what is lost.");
  await screen.findByRole("table", { name: "Areas to account for" });
  expect(screen.queryByText("This session can have no certificate")).toBeNull();
});

it("says of devices that have not sent everything what to do with one that is lost or broken, and what it costs", async () => {
  coverageServer({
    open: [{ kind: "devices", count: 1, names: ["Edda"] }],
    certificate: null,
    canIssue: false,
  });
  await openPage(coveragePath(ended._id));
  await screen.findByText("1 device that has not sent everything");
  screen.getByText(
    /save its queue as a file there and import that under Sessions \(Import a device's scans\)\./,
  );
  screen.getByText(/this session can have no certificate; its report and its deploy are not affected\.$/);
  const way = screen.getByRole("link", { name: "To the Sessions" });
  expect(way.getAttribute("href")).toBe("/admin/sessions");
});

it("names after the end what can be done then, and says where there can be no certificate, why, and what remains", async () => {
  coverageServer({ ...coverage, canIssue: false });
  await openPage(coveragePath(ended._id));
  await screen.findByText(/^Say below why they were not counted\./);
  screen.getByText("They were closed with nothing in them. Confirm that below.");
  screen.getByText(/^Count it by hand in the report, .*, or leave it alone on purpose below\.$/);
  screen.getByText(/^Nothing can be keyed any more: declare void what is out\./);
  expect(screen.queryByText(/have (it|them) (counted|looked for)/i)).toBeNull();
  const notice = within(
    (await screen.findByText("This session can have no certificate")).parentElement ?? document.body,
  );
  notice.getByText(/^Something was counted in A4, and nobody had closed it when the session ended/);
  const link = notice.getByRole("link", { name: "To the List of What to Count Again" });
  expect(link.getAttribute("href")).toBe(countAgainPath(ended._id));
});

it("takes back each of several statements of an area by itself", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ open: [], certificate: null, canIssue: true });
  const by = { by: "admin", at: "2026-03-02T10:00:00.000Z", holds: true };
  const said = [
    { as: "empty" as const, reason: null, ...by },
    { as: "without_second_count" as const, reason: "Nobody left", ...by },
  ];
  server.answer(listCoveredAreas, ({ query }) => ({
    areas: query.which === "open" ? [] : [area("A2", { state: "empty", said })],
    ...{ next: null, total: 1 },
  }));
  const sent = server.answer(stateAreas, { changed: 1 });
  await openPage(coveragePath(ended._id));
  const table = within(await screen.findByRole("table", { name: "Areas decided on" }));
  await user.click(
    table.getByRole("button", { name: "Take back: A2 · Sales Floor, does without the second count" }),
  );
  await pressOnceEnabled(
    table.getByRole("button", { name: "Take back: A2 · Sales Floor, confirmed as empty" }),
  );
  const areaIds = ["area-A2"];
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      { areaIds, as: "without_second_count", stated: false },
      { areaIds, as: "empty", stated: false },
    ]);
});

it("leaves the stock alone that is ticked, with a reason", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ ...coverage, canIssue: false });
  const left = server.answer(leaveStockAlone, { changed: 1 });
  await openPage(coveragePath(ended._id));
  await user.click(await screen.findByRole("checkbox", { name: "Select Tern Tee · M · TEE-M" }));
  await user.click(screen.getByRole("button", { name: "Leave 1 SKU Alone…" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave 1 SKU alone?" });
  await user.type(within(dialog).getByLabelText(/Reason/), "On loan");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await expect
    .poll(() => left.map(({ body }) => body))
    .toEqual([{ skus: ["TEE-M"], leftAlone: true, reason: "On loan" }]);
});

it("says in its field that a reason can't be stored, and leaves nothing alone for it", async () => {
  const user = userEvent.setup();
  const sent = coverageServer({ ...coverage, canIssue: false }).answer(leaveStockAlone, { changed: 1 });
  await openPage(coveragePath(ended._id));
  await user.click(await screen.findByRole("checkbox", { name: /TEE-M/ }));
  await user.click(screen.getByRole("button", { name: "Leave 1 SKU Alone…" }));
  const dialog = within(await screen.findByRole("dialog"));
  const save = dialog.getByRole("button", { name: "Save" });
  const reason = dialog.getByLabelText(/Reason/);
  await user.click(reason);
  await user.paste("On loan\u000bto the window");
  dialog.getByText("Reason contains a character that can't be stored.");
  expect(save).toHaveProperty("disabled", true);
  await user.clear(reason);
  expect(reason.getAttribute("aria-invalid")).toBeNull();
  expect(save).toHaveProperty("disabled", true);
  expect(sent).toEqual([]);
});

it("leaves nothing alone by a filter whose SKUs are not shown yet", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ ...coverage, canIssue: false });
  await openPage(coveragePath(ended._id));
  await screen.findByRole("button", { name: "Leave All 1 SKU Alone…" });
  const { sent, release } = server.answerLater(listUncoveredStock, { rows: [row], next: null, total: 7 });
  await user.type(screen.getByLabelText("Brand"), "L");
  await expect.poll(() => sent.map(({ query }) => query.vendor)).toContain("L");
  expect(screen.getByRole("button", { name: "Leave All 1 SKU Alone…" })).toHaveProperty("disabled", true);
  release();
  expect(await screen.findByRole("button", { name: "Leave All 7 SKUs Alone…" })).toHaveProperty(
    "disabled",
    false,
  );
});

it("issues the certificate once nothing is open", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ open: [], certificate: null, canIssue: true });
  const certificate = {
    ...{ version: 1, hash: "0".repeat(64), issuedAt: "2026-03-02T10:00:00.000Z", valid: true },
    issuedBy: { username: "admin" },
  };
  const issued = server.answer(issueCertificate, { certificate });
  await openPage(coveragePath(ended._id));
  await screen.findByText("Nothing Is Open");
  await user.click(screen.getByRole("button", { name: "Issue Certificate" }));
  await screen.findByText("Version 1 of the coverage certificate was issued.");
  expect(issued).toHaveLength(1);
});

it("shows what a version changed: each SKU with what it was, is, and who changed it why", async () => {
  const certificate = {
    ...{ version: 2, hash: "0".repeat(64), issuedAt: "2026-03-02T10:00:00.000Z", valid: true },
    issuedBy: null,
  };
  const server = coverageServer({ open: [], certificate, canIssue: false });
  const listed = {
    ...{ sku: "TEE-M", from: { state: "left_alone", units: 4 }, to: { state: "counted", units: 3 } },
    why: [{ action: "count.adjusted", by: "admin", reason: "Shelf" }],
  };
  const text = JSON.stringify({ changes: { skus: 1, figures: {}, listed: [listed] } });
  server.answer(listCertificates, { certificates: [{ ...certificate, text }], next: null, total: 1 });
  await openPage(coveragePath(ended._id));
  const table = await screen.findByRole("table", { name: "Versions of the certificate" });
  within(table).getByText("TEE-M: left alone (4) to counted (3) – admin: Shelf");
  within(table).getByText(/the server$/);
});

it("keeps the versions and the way to save each where the text of one can't be read", async () => {
  const issued = { issuedAt: "2026-03-02T10:00:00.000Z", issuedBy: null };
  const version = { hash: "0".repeat(64), valid: false, ...issued };
  const server = coverageServer({ open: [], certificate: { ...version, version: 3 }, canIssue: false });
  const certificates = [
    { ...version, version: 3, text: JSON.stringify({ changes: { skus: "some" } }) },
    { ...version, version: 2, text: "no JSON" },
    { ...version, version: 1, text: JSON.stringify({ changes: null }) },
  ];
  server.answer(listCertificates, { certificates, next: null, total: 3 });
  await openPage(coveragePath(ended._id));
  const table = within(await screen.findByRole("table", { name: "Versions of the certificate" }));
  expect(table.getAllByText(/can't be read here\.$/)).toHaveLength(2);
  table.getByText("First version");
  expect(table.getAllByRole("button", { name: /^Save version [123]$/ })).toHaveLength(3);
});

it("offers nothing that a deployed report refuses, and says that the deploy is rolled back first", async () => {
  const withDifference = [...coverage.open, { kind: "differences" as const, count: 1, names: ["TEE-S"] }];
  const server = coverageServer({ open: withDifference, certificate: null, canIssue: false, deployed: true });
  const leftAlone = { reason: "On loan", by: "admin", at: "2026-03-02T10:00:00.000Z" };
  server.answer(listUncoveredStock, ({ query }) => ({
    rows: query.state === "zeroed" ? [] : [{ ...row, leftAlone: query.state === "open" ? null : leftAlone }],
    ...{ next: null, total: 1 },
  }));
  await openPage(coveragePath(ended._id));
  await screen.findByRole("table", { name: "Stock not accounted for" });
  await screen.findByRole("table", { name: "Stock left alone" });
  screen.getByText(/^The report is deployed\. Roll the deploy back first: then count it by hand/);
  screen.getByText("The report is deployed. Roll the deploy back first: then choose which count is right.");
  screen.getByText("The report is deployed. Roll the deploy back first to change what is left alone.");
  expect(screen.queryByRole("button", { name: /Alone…$|^Take/ })).toBeNull();
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it.each(["NOT_FOUND", "VALIDATION"] as const)(
  "shows nothing of lists that a server of an earlier release does not know (%s)",
  async (code) => {
    const server = coverageServer({ open: [], certificate: null, canIssue: true });
    const beyond = server.refuse(listBeyondTolerance, code, "There is no such call.");
    const zeroed = server.refuse(listUncoveredStock, code, "There is no such state.");
    await openPage(coveragePath(ended._id));
    await waitFor(() => expect([beyond.length, zeroed.length]).toEqual([1, 2]));
    await screen.findAllByText("There is no such state.");
    expect(screen.getAllByText(/^There is no such/)).toHaveLength(1);
  },
);

it("says where what is open can't be read", async () => {
  const server = coverageServer({ ...coverage, canIssue: false });
  server.refuse(readCoverage, "OVERLOADED", "The server is busy.");
  await openPage(coveragePath(ended._id));
  await screen.findByText("The server is busy.");
});
