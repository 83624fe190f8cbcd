import { listCoveredDevices, stateDevices } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { coveragePath } from "../../http/coverage.ts";
import { openPage } from "../../testing/open-page.tsx";
import { coverageServer, device, ended, openDevices } from "./testing/coverage-server.ts";

const unknownDevices = {
  open: [{ kind: "unknown_devices" as const, count: 2, names: ["Edda", "Edda"] }],
  certificate: null,
  canIssue: false,
};

it("accounts for devices of which nothing certain is known with a reason, one or all of them, and for none that holds something", async () => {
  const user = userEvent.setup();
  const server = coverageServer(unknownDevices);
  const said = server.answer(stateDevices, { changed: 1 });
  await openPage(coveragePath(ended._id));
  await screen.findByText("2 devices of which it is not known whether everything was sent");
  screen.getByText(/^Open Stocktake on each of them with a connection\. .* say below why nothing is left/);
  const table = within(await screen.findByRole("table", { name: "Devices to account for" }));
  table.getByText("Opened an area, and was never heard of since");
  table.getByText("Tells of scans alone, as its app is of an earlier release");
  table.getByText(/^Said last that it holds 4 rows: only sending them/);
  expect(table.getAllByRole("button", { name: /^Account for: Edda · …/ })).toHaveLength(2);
  await user.click(table.getByRole("button", { name: "Account for: Edda · …000001" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Account for 1 device?" }));
  expect(dialog.getByRole("button", { name: "Save" })).toHaveProperty("disabled", true);
  await user.type(dialog.getByLabelText(/Reason/), "Broken");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Account for All 2…" }));
  const all = within(await screen.findByRole("dialog", { name: "Account for 2 devices?" }));
  all.getByText("Devices: Edda · …000001, Edda · …000002");
  await user.type(all.getByLabelText(/Reason/), "Looked at");
  await user.click(all.getByRole("button", { name: "Save" }));
  await expect
    .poll(() => said.map(({ body }) => body))
    .toEqual([
      { deviceIds: ["phone-000001"], stated: true, reason: "Broken" },
      { deviceIds: ["phone-000001", "phone-000002"], stated: true, reason: "Looked at" },
    ]);
});

it("says in the dialog why a device can't be accounted for", async () => {
  const user = userEvent.setup();
  const server = coverageServer(unknownDevices);
  server.refuse(stateDevices, "DEVICE_HOLDS_ROWS", "A device of Edda said last that it holds 1 row.");
  await openPage(coveragePath(ended._id));
  await user.click(await screen.findByRole("button", { name: "Account for: Edda · …000001" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText(/Reason/), "Broken");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.findByText("A device of Edda said last that it holds 1 row.");
});

it("takes back that a device is accounted for, and says where that no longer holds", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ open: [], certificate: null, canIssue: true });
  const said = { reason: "Broken", by: "admin", at: "2026-03-02T10:00:00.000Z", holds: false };
  server.answer(listCoveredDevices, { devices: [device("phone-000001", { said })], next: null, total: 1 });
  const sent = server.answer(stateDevices, { changed: 1 });
  await openPage(coveragePath(ended._id));
  const table = within(await screen.findByRole("table", { name: "Devices accounted for" }));
  table.getByText(/^Broken · admin, .* · no longer holds$/);
  await user.click(table.getByRole("button", { name: "Take back: Edda · …000001" }));
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ deviceIds: ["phone-000001"], stated: false }]);
});

it("says where the devices can't be read, and reads them again", async () => {
  const user = userEvent.setup();
  const server = coverageServer(unknownDevices);
  server.refuse(listCoveredDevices, "OVERLOADED", "The server is busy.");
  await openPage(coveragePath(ended._id));
  await screen.findAllByText("The server is busy.");
  server.answer(listCoveredDevices, { devices: openDevices, next: null, total: 3 });
  await user.click(screen.getAllByRole("button", { name: /try again/i })[0] ?? document.body);
  await screen.findByRole("table", { name: /^Devices/ });
});
