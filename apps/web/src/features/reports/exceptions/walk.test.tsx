import { decideExceptions } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { group, lateGroup, openWaiting as open, tenCodes, tenProducts } from "./testing/waiting-scans.ts";

it("scans are worked through one code after the other, until the person leaves", async () => {
  const { decisions } = open(tenCodes.slice(0, 3), tenProducts);
  await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: code-0" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
  dialog.getByText("2 more codes after this");
  await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "Product 1{Enter}");
  await dialog.findByText("code-1");
  dialog.getByText("3 scans were accepted and are now in the count.");
  await userEvent.click(dialog.getByRole("button", { name: "Skip" }));
  await dialog.findByText("code-2");
  expect(dialog.queryByRole("button", { name: "Skip" })).toBeNull();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(decisions).toHaveLength(1);
  screen.getByRole("button", { name: "Resolve to Product: code-1" });
});

it("an accepted code is taken back from the next one's dialog", async () => {
  const { takenBack } = open(tenCodes.slice(0, 2), tenProducts);
  await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: code-0" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
  await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "Product 1{Enter}");
  await dialog.findByText("code-1");
  await userEvent.click(dialog.getByRole("button", { name: "Undo" }));
  await dialog.findByText("3 scans wait for a decision again.");
  expect(takenBack[0]?.body).toEqual({ scanIds: ["1", "2", "3"] });
});

it("late scans are worked through like unknown ones, each accepted, skipped or dismissed with a reason", async () => {
  const late = [1, 2, 3].map((each) =>
    lateGroup({ input: `late-${each}`, scanIds: [String(20 + each)], lastScanId: String(20 + each) }),
  );
  const { decisions, takenBack } = open([...late, group()], tenProducts);
  await userEvent.click(await screen.findByRole("button", { name: "Accept: late-1" }));
  const accept = async () => within(await screen.findByRole("dialog", { name: "Accept scan?" }));
  (await accept()).getByText("3 more codes after this");
  await userEvent.click((await accept()).getByRole("button", { name: "Accept" }));
  await screen.findByText("2 more codes after this");
  (await accept()).getByText("The scan was accepted and is now in the count.");
  await userEvent.click((await accept()).getByRole("button", { name: "Undo" }));
  await (await accept()).findByText("The scan waits for a decision again.");
  expect(takenBack[0]?.body).toEqual({ scanIds: ["21"] });
  await userEvent.click((await accept()).getByRole("button", { name: "Dismiss" }));
  const dismiss = within(await screen.findByRole("dialog", { name: "Dismiss scan?" }));
  dismiss.getByText("Are you sure you want to dismiss the scan late-2?");
  await userEvent.click(dismiss.getByRole("button", { name: "Counted elsewhere" }));
  await userEvent.click(dismiss.getByRole("button", { name: "Dismiss" }));
  await screen.findByText("1 more code after this");
  (await accept()).getByText("The scan was dismissed.");
  expect(decisions[1]?.body).toEqual({ action: "dismiss", scanIds: ["22"], reason: "Counted elsewhere" });
  await userEvent.click((await accept()).getByRole("button", { name: "Skip" }));
  const unknown = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
  unknown.getByText("4006381");
  await userEvent.click(unknown.getByRole("button", { name: "Dismiss" }));
  const last = within(await screen.findByRole("dialog", { name: "Dismiss 3 scans?" }));
  await userEvent.click(last.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  screen.getByText("3 scans were dismissed.");
  expect(decisions).toHaveLength(3);
});

it("whoever thinks better of dismissing one that is worked through is back at it, with those after it", async () => {
  const { decisions } = open(tenCodes.slice(0, 2), tenProducts);
  await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: code-0" }));
  const step = async () => within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
  await userEvent.click((await step()).getByRole("button", { name: "Dismiss" }));
  const dismiss = within(await screen.findByRole("dialog", { name: "Dismiss 3 scans?" }));
  await userEvent.click(dismiss.getByRole("button", { name: "Cancel" }));
  (await step()).getByText("code-0");
  (await step()).getByText("1 more code after this");
  await userEvent.click((await step()).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(decisions).toEqual([]);
});

it("scans of known products whose area was deleted are worked through with the focus on the area each time", async () => {
  const lost = ["31", "32"].map((id) =>
    lateGroup({
      ...{ input: `lost-${id}`, reasons: ["AREA_DELETED"], acceptable: false },
      ...{ scanIds: [id], lastScanId: id },
    }),
  );
  open([group(), ...lost]);
  await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: 4006381" }));
  for (const { input } of lost) {
    await userEvent.click(screen.getByRole("button", { name: "Skip" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Choose an area for 1 scan" }));
    await dialog.findByText(input);
    const area = dialog.getByRole("combobox", { name: "Area" });
    await waitFor(() => expect(document.activeElement).toBe(area));
  }
});

it("while a decision is under way nothing closes its dialog, and the walk goes on once it is made", async () => {
  const { server } = open(tenCodes.slice(0, 2), tenProducts);
  const state = { reason: null, areaId: "area-1", pass: 1, sku: "SKU-1", status: "counted" as const };
  const later = server.answerLater(decideExceptions, {
    scans: ["1", "2", "3"].map((_id) => ({ _id, ...state, outcome: "done" as const })),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: code-0" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
  await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "Product 1{Enter}");
  await waitFor(() => expect(later.sent).toHaveLength(1));
  expect(dialog.getByRole("button", { name: "Cancel" })).toHaveProperty("disabled", true);
  await userEvent.keyboard("{Escape}");
  await userEvent.click(dialog.getByRole("button", { name: "Close" }));
  dialog.getByText("code-0");
  later.release();
  await dialog.findByText("code-1");
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
});
