import {
  listBeyondTolerance,
  listCertificates,
  listCoveredAreas,
  listCoveredDevices,
  listUncoveredStock,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { coveragePath } from "../../http/coverage.ts";
import { openPage } from "../../testing/open-page.tsx";
import { area, coverageServer, device, ended, row } from "./testing/coverage-server.ts";

const open = [
  { kind: "areas" as const, count: 1, names: ["A3"] },
  { kind: "stock" as const, count: 1, names: ["TEE-M"] },
];

it("keeps what was decided, and a reason that is being written, while nothing can be read again", async () => {
  const user = userEvent.setup();
  const by = { by: "admin", at: "2026-03-02T10:00:00.000Z" };
  const said = { reason: "Broken", ...by, holds: true };
  const certificate = { version: 1, hash: "0".repeat(64), issuedAt: by.at, valid: false, issuedBy: null };
  const server = coverageServer({ open, certificate, canIssue: false });
  server.answer(listCoveredAreas, ({ query }) => ({
    areas: query.which === "open" ? [area("A3", {})] : [area("A2", { said: [{ as: "void", ...said }] })],
    ...{ next: null, total: 1 },
  }));
  server.answer(listCoveredDevices, { devices: [device("phone-000001", { said })], next: null, total: 1 });
  const beyond = { sku: "TEE-S", productTitle: "Tern Tee", size: "S", counted: 1, difference: -3, said };
  server.answer(listBeyondTolerance, { rows: [beyond], next: null, total: 1 });
  server.answer(listUncoveredStock, ({ query }) => ({
    rows: [
      {
        ...row,
        leftAlone: query.state === "left_alone" ? { reason: "On loan", ...by } : null,
        ...(query.state === "zeroed" ? { zeroed: by } : {}),
      },
    ],
    ...{ next: null, total: 1 },
  }));
  server.answer(listCertificates, {
    certificates: [{ ...certificate, text: JSON.stringify({ changes: null }) }],
    next: null,
    total: 1,
  });
  const { client } = openPage(coveragePath(ended._id));
  const decided = [
    "Versions of the certificate",
    "Areas decided on",
    "Devices accounted for",
    "Done without another count",
    "Stock left alone",
    "Stock set to zero",
  ];
  const tables: HTMLElement[] = [];
  for (const name of decided) tables.push(await screen.findByRole("table", { name }));
  await user.click(screen.getByRole("button", { name: "Don't Count: A3 · Sales Floor" }));
  const reason = within(await screen.findByRole("dialog")).getByLabelText(/Reason/);
  await user.type(reason, "Being rebuilt");
  for (const call of [listCoveredAreas, listCoveredDevices, listBeyondTolerance, listUncoveredStock])
    server.loseNetwork(call);
  server.loseNetwork(listCertificates);
  await client.invalidateQueries();
  // Those above, and of what is open the areas and the stock.
  await waitFor(() => expect(screen.getAllByText("Failed to fetch data")).toHaveLength(decided.length + 2));
  expect(tables.filter((table) => !table.isConnected)).toEqual([]);
  expect(reason).toHaveProperty("isConnected", true);
  expect(reason).toHaveProperty("value", "Being rebuilt");
});

it("says where more of what is open can't be read", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ open, certificate: null, canIssue: false });
  server.answer(listCoveredAreas, { areas: [area("A3", {})], next: "A3", total: 2 });
  openPage(coveragePath(ended._id));
  const table = await screen.findByRole("table", { name: "Areas to account for" });
  server.loseNetwork(listCoveredAreas);
  await user.click(screen.getAllByRole("button", { name: /^Show More/ })[0] ?? document.body);
  await screen.findByText("Failed to fetch data");
  expect(table).toHaveProperty("isConnected", true);
});
