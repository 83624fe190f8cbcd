import { exceptionGroups, explainRow } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openPage } from "../../../testing/open-page.tsx";
import { group, lateGroup, serveWaiting } from "../exceptions/testing/waiting-scans.ts";
import { explainedScan, explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";

const late = lateGroup({ sku: "LIN-S", size: "S" });
const drawer = async () => within(await screen.findByRole("dialog", { name: "Why 3?" }));

/** The late scan is on a later page of the row's scans. */
function rowServer(groups = [late], changes: Parameters<typeof reportServer>[0] = {}) {
  const waiting = groups.reduce((sum, { scans }) => sum + scans, 0);
  const server = reportServer({ exceptions: { unresolved: 0, late: waiting }, ...changes });
  const served = serveWaiting(server, groups);
  server.answer(explainRow, explanation({ scans: [explainedScan()], total: 200, next: "further" }));
  return { server, ...served };
}

it("late scans of a row are accepted in its drawer, whatever page of its scans is loaded", async () => {
  const { lists, decisions } = rowServer();
  const page = openPage(`${address}&row=LIN-S`);
  const part = within(await (await drawer()).findByRole("region", { name: "Scans that need a decision" }));
  expect(lists.map(({ query }) => query.sku)).toContain("LIN-S");
  await userEvent.click(part.getByRole("button", { name: "Accept: 777" }));
  const question = within(await screen.findByRole("dialog", { name: "Accept scan?" }));
  question.getByText(/changes the count of LIN-S from 3 to 4/);
  await userEvent.click(question.getByRole("button", { name: "Accept" }));
  await waitFor(() => expect(decisions[0]?.body).toEqual({ action: "accept", scanIds: ["21"] }));
  const told = (await drawer()).getByRole("status", { name: "What was decided" });
  await within(told).findByText("The scan was accepted and is now in the count.");
  expect(page.address()).toBe(`${address}&row=LIN-S`);
  expect((await drawer()).queryByRole("button", { name: "Accept: 777" })).toBeNull();
});

it("they are dismissed there with a reason, and the decision is taken back there", async () => {
  const { decisions, takenBack } = rowServer();
  openPage(`${address}&row=LIN-S`);
  await userEvent.click(await (await drawer()).findByRole("button", { name: "Dismiss: 777" }));
  const question = within(await screen.findByRole("dialog", { name: "Dismiss scan?" }));
  await userEvent.type(question.getByLabelText("Reason (Optional)"), "torn");
  await userEvent.click(question.getByRole("button", { name: "Dismiss" }));
  await waitFor(() =>
    expect(decisions[0]?.body).toEqual({ action: "dismiss", scanIds: ["21"], reason: "torn" }),
  );
  await userEvent.click(await (await drawer()).findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(takenBack[0]?.body).toEqual({ scanIds: ["21"] }));
  await (await drawer()).findByRole("button", { name: "Accept: 777" });
});

it("nothing is decided there once the report is deployed", async () => {
  rowServer([late], { deployed: true });
  openPage(`${address}&row=LIN-S`);
  for (const name of ["Accept: 777", "Dismiss: 777"]) {
    expect(await (await drawer()).findByRole("button", { name })).toHaveProperty("disabled", true);
  }
});

it("a row of which nothing waits has no such part", async () => {
  const { lists } = rowServer([]);
  openPage(`${address}&row=LIN-S`);
  await (await drawer()).findByRole("region", { name: "Where it was counted" });
  await waitFor(() => expect(lists.map(({ query }) => query.sku)).toContain("LIN-S"));
  expect((await drawer()).queryByRole("region", { name: "Scans that need a decision" })).toBeNull();
});

it("what can't be accepted as it is leads to its group, and the drawer closes", async () => {
  const unresolved = group({ sku: "LIN-S", input: "555" });
  const { server } = rowServer();
  server.answer(exceptionGroups, {
    ...{ groups: [group({ scanIds: ["1"], lastScanId: "1" }), unresolved] },
    ...{ devices: [], waiting: 6, next: null, total: 2 },
  });
  const page = openPage(`${address}&row=LIN-S`);
  await userEvent.click(await (await drawer()).findByRole("button", { name: "Decide on This Scan: 555" }));
  await waitFor(() => expect(page.address()).toBe(`${address}&tab=decisions`));
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Select 555"));
});
