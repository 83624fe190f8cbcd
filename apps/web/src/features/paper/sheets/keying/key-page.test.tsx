import { listSheets, readSheet, returnSheet } from "@stocktake/contract";
import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { queryRoots } from "../../../../http/query-roots.ts";
import { openPage } from "../../../../testing/open-page.tsx";
import { doubleTapMs } from "../../../../ui/pressing/double-tap.ts";
import { lines, path, sheet, sheetsServer } from "../testing/sheets-server.ts";

afterEach(() => localStorage.clear());

const returned = sheet({
  ...{ state: "returned", returnedAt: "2026-03-02T11:00:00.000Z", returnedBy: { username: "admin" } },
  keyed: { rows: 3, units: 20, declaredTotal: 20, isStored: true },
});
const answer = {
  ...{ sheet: returned, isRepeat: false, bad: [], counted: { rows: 3, units: 20 }, unresolved: 0, late: 0 },
};

const focused = () => document.activeElement?.getAttribute("aria-label");

/** Saves once the question can have been read. */
function submitLater(): void {
  const submit = new Event("submit", { bubbles: true, cancelable: true });
  Object.defineProperty(submit, "timeStamp", { value: performance.now() + doubleTapMs });
  fireEvent(screen.getByRole("button", { name: "Save All the Same" }), submit);
}

it("a sheet is keyed from top to bottom by Enter alone, and its total is compared", async () => {
  const server = sheetsServer();
  const sent = server.answer(returnSheet, answer);
  const page = openPage(`${path}/8`);
  const who = await screen.findByLabelText("Counted by");
  expect(document.activeElement).toBe(who);
  await userEvent.keyboard("Mia{Enter}{Enter}20{Enter}");
  expect(focused()).toBe("Counted, line 1, Linen Shirt · M");
  await userEvent.keyboard("5{Enter}");
  expect(focused()).toBe("Counted, line 2, Wool Sock");
  await userEvent.keyboard("{ArrowUp}");
  expect(focused()).toBe("Counted, line 1, Linen Shirt · M");
  await userEvent.keyboard("{Enter}3{Enter}");
  expect(focused()).toBe("Code 1");
  await userEvent.keyboard("12PACK{Enter}");
  await screen.findByText("Wool Sock, a pack of 12");
  expect(focused()).toBe("Quantity 1");
  await userEvent.keyboard("1{Enter}");
  expect(focused()).toBe("Code 2");
  screen.getByText("20 units on 3 lines");
  screen.getByText("The total on the sheet is the same.");
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement?.textContent).toBe("Save the Sheet");
  await userEvent.keyboard("{Enter}");
  await screen.findByText("Sheet 8 was saved: 20 units.");
  expect(page.path()).toBe(path);
  expect(sent).toEqual([
    expect.objectContaining({
      body: {
        ...{ who: "Mia", declaredTotal: 20 },
        lines: [
          { line: 1, quantity: 5 },
          { line: 2, quantity: 3 },
        ],
        others: [{ code: "12PACK", quantity: 1 }],
      },
    }),
  ]);
  expect(Object.keys(localStorage).filter((key) => key.startsWith("countSheet"))).toEqual([]);
});

it("what is keyed survives a reload, and codes of no product are told at once", async () => {
  sheetsServer();
  openPage(`${path}/8`);
  await userEvent.type(await screen.findByLabelText("Counted, line 2, Wool Sock"), "7");
  await userEvent.type(screen.getByLabelText("Code 1"), "NONE{Enter}");
  await screen.findByText(/^Fits no product\./);
  document.body.replaceChildren();
  openPage(`${path}/8`);
  const box = await screen.findByLabelText("Counted, line 2, Wool Sock");
  expect(box).toHaveProperty("value", "7");
  expect(screen.getByLabelText("Code 1")).toHaveProperty("value", "NONE");
  await screen.findByText(/^Fits no product\./);
  screen.getByText("How many?");
  expect(screen.getByRole("button", { name: "Save the Sheet" })).toHaveProperty("disabled", true);
});

it("a total that differs is told, and the sheet is saved on a second press only", async () => {
  const server = sheetsServer();
  const sent = server.answer(returnSheet, answer);
  openPage(`${path}/8`);
  await userEvent.type(await screen.findByLabelText("Total on the Sheet"), "6");
  const box = screen.getByLabelText("Counted, line 1, Linen Shirt · M");
  await userEvent.type(box, "4");
  await userEvent.click(screen.getByRole("button", { name: "Save the Sheet" }));
  screen.getByText(/^The total on the sheet is 6: 2 more than keyed\./);
  await userEvent.type(box, "0");
  screen.getByRole("button", { name: "Save the Sheet" });
  await userEvent.type(box, "{Backspace}");
  await userEvent.click(screen.getByRole("button", { name: "Save the Sheet" }));
  // Nobody has read the question so soon.
  await userEvent.click(screen.getByRole("button", { name: "Save All the Same" }));
  expect(sent).toEqual([]);
  submitLater();
  await screen.findByText("Sheet 8 was saved: 20 units.");
  expect(sent).toMatchObject([{ body: { declaredTotal: 6, lines: [{ line: 1, quantity: 4 }] } }]);
});

it("an Enter that is held down goes on by one box, and saves nothing", async () => {
  const server = sheetsServer();
  const sent = server.answer(returnSheet, answer);
  openPage(`${path}/8`);
  await userEvent.click(await screen.findByLabelText("Counted, line 1, Linen Shirt · M"));
  await userEvent.keyboard("{Enter>5/}");
  expect(focused()).toBe("Counted, line 2, Wool Sock");
  const save = screen.getByRole("button", { name: "Save the Sheet" });
  save.focus();
  await userEvent.keyboard("{Enter>5/}");
  screen.getByText(/^Nothing is keyed/);
  const held = { key: "Enter", bubbles: true, cancelable: true, repeat: true };
  expect(save.dispatchEvent(new KeyboardEvent("keydown", held))).toBe(false);
  expect(sent).toEqual([]);
});

it.each(["1,204", "12O"])("a total that can't be read is not the same as any: %s", async (typed) => {
  const server = sheetsServer();
  const sent = server.answer(returnSheet, answer);
  openPage(`${path}/8`);
  const total = await screen.findByLabelText("Total on the Sheet");
  await userEvent.type(total, typed);
  await userEvent.type(screen.getByLabelText("Counted, line 1, Linen Shirt · M"), "12");
  screen.getByText("Enter a whole number.");
  expect(screen.queryByText("The total on the sheet is the same.")).toBeNull();
  const save = screen.getByRole("button", { name: "Save the Sheet" });
  expect(save).toHaveProperty("disabled", true);
  await userEvent.type(total, "{Enter}");
  expect(sent).toEqual([]);
  await userEvent.clear(total);
  await userEvent.type(total, "12");
  screen.getByText("The total on the sheet is the same.");
  expect(save).toHaveProperty("disabled", false);
});

it("what can't be saved is named, and stays where it was typed", async () => {
  const server = sheetsServer();
  const problem = "Nobody called Zed counts in this session.";
  server.answer(returnSheet, {
    ...{ ...answer, sheet: sheet(), counted: { rows: 0, units: 0 } },
    bad: [
      { line: null, code: null, problem },
      { line: 2, code: null, problem: "So many." },
    ],
  });
  openPage(`${path}/8`);
  await userEvent.type(await screen.findByLabelText("Counted by"), "Zed");
  await userEvent.type(screen.getByLabelText("Counted, line 1, Linen Shirt · M"), "x");
  screen.getByText("A whole number up to 9,999");
  expect(screen.getByRole("button", { name: "Save the Sheet" })).toHaveProperty("disabled", true);
  await userEvent.type(screen.getByLabelText("Counted, line 1, Linen Shirt · M"), "{Backspace}4");
  await userEvent.click(screen.getByRole("button", { name: "Save the Sheet" }));
  await screen.findByText("Nothing was saved");
  screen.getByText(problem);
  screen.getByText("Line 2: So many.");
  expect(screen.getByLabelText("Counted by")).toHaveProperty("value", "Zed");
});

/** What somebody else keyed first: 4 of the first line. */
const first = { ...returned, keyed: { rows: 1, units: 4, declaredTotal: null, isStored: true } };
const repeated = { ...answer, sheet: first, isRepeat: true, counted: { rows: 0, units: 0 } };
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith("countSheet"));

it("S39: a sheet that somebody else keyed meanwhile says that nothing was changed", async () => {
  const server = sheetsServer();
  server.answer(returnSheet, repeated);
  openPage(`${path}/8`);
  await userEvent.type(await screen.findByLabelText("Counted, line 1, Linen Shirt · M"), "4{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Save the Sheet" }));
  await screen.findByText("Sheet 8 was keyed before. Nothing was changed.");
  expect(kept()).toEqual([]);
});

it.each(["read again", "not read again"])(
  "S39: what two keyed otherwise is compared, and the second is forgotten only when they say so: %s",
  async (how) => {
    const server = sheetsServer();
    server.answer(returnSheet, repeated);
    const page = openPage(`${path}/8`);
    await userEvent.type(await screen.findByLabelText("Counted, line 1, Linen Shirt · M"), "40");
    await userEvent.type(screen.getByLabelText("Code 1"), "12PACK");
    await userEvent.type(screen.getByLabelText("Quantity 1"), "1");
    await screen.findByText("52 units on 2 lines");
    if (how === "read again") {
      server.answer(readSheet, {
        ...{ sheet: first, lines: [...lines], areaStatus: "in_progress", isAreaRestarted: false },
        entries: { countedAt: null, lines: [{ line: 1, quantity: 4 }], others: [] },
      });
    } else server.loseNetwork(readSheet);
    await userEvent.click(screen.getByRole("button", { name: "Save the Sheet" }));
    await screen.findByText(
      "Sheet 8 was keyed before with 4 units; you keyed 52 units. Compare them with the paper.",
    );
    screen.getByText(/adjust the count in the report/);
    if (how === "read again") {
      screen.getByText("Line 1: 4 before, 40 by you");
      screen.getByText("12PACK: 0 before, 1 by you");
    }
    expect(page.path()).toBe(`${path}/8`);
    expect(kept()).toHaveLength(1);
    await userEvent.click(screen.getByRole("button", { name: "Forget What I Keyed" }));
    expect(screen.queryByText(/Compare them with the paper/)).toBeNull();
    expect(kept()).toEqual([]);
  },
);

it("S39: of two sheets with as many units each line is compared", async () => {
  const server = sheetsServer();
  server.answer(returnSheet, repeated);
  openPage(`${path}/8`);
  await userEvent.type(await screen.findByLabelText("Counted, line 2, Wool Sock"), "4");
  server.answer(readSheet, {
    ...{ sheet: first, lines: [...lines], areaStatus: "in_progress", isAreaRestarted: false },
    entries: { countedAt: null, lines: [{ line: 1, quantity: 4 }], others: [] },
  });
  await userEvent.click(screen.getByRole("button", { name: "Save the Sheet" }));
  await screen.findByText("Line 2: 0 before, 4 by you");
  expect(kept()).toHaveLength(1);
});

it("S39: of a sheet that was keyed is shown what, and a storing that broke off is ended", async () => {
  const stored = { rows: 1, units: 5, declaredTotal: 5, isStored: false };
  const server = sheetsServer();
  server.answer(listSheets, { sheets: [] });
  server.answer(readSheet, {
    ...{ sheet: { ...returned, keyed: stored }, lines: [...lines] },
    ...{ areaStatus: "in_progress", isAreaRestarted: false },
    entries: { countedAt: null, lines: [{ line: 1, quantity: 5 }], others: [] },
  });
  const sent = server.answer(returnSheet, { ...answer, isRepeat: true });
  openPage(`${path}/8`);
  await screen.findByText(/^This sheet was keyed on .* by admin$/);
  screen.getByText("Linen Shirt · M");
  expect(screen.queryByLabelText("Counted by")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Store the Rest" }));
  expect(sent).toMatchObject([{ body: { declaredTotal: 5, lines: [{ line: 1, quantity: 5 }] } }]);
});

it("S39: where the rest of what was keyed first was stored, that is what is said", async () => {
  const server = sheetsServer();
  server.answer(returnSheet, { ...repeated, counted: { rows: 1, units: 2 } });
  openPage(`${path}/8`);
  await userEvent.type(await screen.findByLabelText("Counted, line 1, Linen Shirt · M"), "4{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Save the Sheet" }));
  await screen.findByText("The rest of sheet 8 was stored, as it was keyed first.");
});

it("an area in which somebody begins to scan while its sheet is keyed is told of", async () => {
  const server = sheetsServer();
  const { client } = openPage(`${path}/8`);
  const box = await screen.findByLabelText("Counted, line 1, Linen Shirt · M");
  await userEvent.type(box, "4");
  server.answer(readSheet, {
    ...{ sheet: sheet(), lines: [...lines], entries: null },
    ...{ areaStatus: "in_progress", isAreaRestarted: false },
  });
  await client.invalidateQueries({ queryKey: [queryRoots.progress] });
  await screen.findByText(/^This area is in progress: something is counted in it already\./);
  expect(box).toHaveProperty("value", "4");
});

it("what somebody should know of the area is said before they key", async () => {
  const server = sheetsServer();
  const whole = { sheet: sheet(), lines: [...lines], entries: null };
  server.answer(readSheet, { ...whole, areaStatus: "closed", isAreaRestarted: true });
  openPage(`${path}/8`);
  await screen.findByText(/^This area is closed\./);
  screen.getByText(/^This area was started again after the sheet was printed\./);
});
