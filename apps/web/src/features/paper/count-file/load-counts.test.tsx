import { checkCountRows, listSessions, storeCountRows } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { admin, session } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";

const nothing = { bad: [], known: { rows: 0, voided: 0 }, counted: { rows: 0, units: 0 } };
const unchecked = { ...nothing, unresolved: { rows: 0, codes: [] } };
const unstored = { ...nothing, unresolved: 0, late: 0 };

async function load(server: FakeServer, text: string): Promise<void> {
  const running = session({ status: "active", endedAt: null });
  server.answer(listSessions, { sessions: [running] });
  openPage(`/admin/sessions/${running._id}/files`);
  const file = new File([text], "friday.csv", { type: "text/csv" });
  await screen.findByRole("heading", { name: "Load a File" });
  await userEvent.upload(screen.getByLabelText("Choose a CSV File"), file);
}

const cellBeside = (label: string | RegExp) => screen.getByText(label).closest("tr")?.textContent;

it("a file is checked, its bad rows are named, and the others are stored once a person has seen that", async () => {
  const server = new FakeServer(admin);
  const problem = "This store has no area Z9. Correct the code, or create the area first.";
  const checked = server.answer(checkCountRows, {
    ...unchecked,
    ...{ bad: [{ row: 3, problem }], known: { rows: 4, voided: 0 }, counted: { rows: 2, units: 15 } },
    unresolved: { rows: 1, codes: ["999"] },
  });
  const stored = server.answer(storeCountRows, {
    ...unstored,
    ...{ bad: [{ row: 3, problem }], counted: { rows: 2, units: 15 }, unresolved: 1 },
  });
  await load(server, "area,code,quantity\nA1,500,3\nZ9,500,3");
  await screen.findByText(`Row 3: ${problem}`);
  expect(cellBeside("Will be counted (15 units)")).toContain("2");
  expect(cellBeside("Already here: not counted again")).toContain("4");
  screen.getByText(/Codes that fit no product or several, for example: 999/);
  screen.getByText(/No figure goes by the times in a file/);
  expect(stored).toEqual([]);
  const body = {
    file: "friday.csv",
    rows: [
      { row: 2, area: "A1" },
      { row: 3, area: "Z9" },
    ],
  };
  expect(checked).toMatchObject([{ body }]);
  await userEvent.click(screen.getByRole("button", { name: "Store 3 Rows, Leave Out 1" }));
  await screen.findByText("The file was loaded: 15 units counted");
  expect(stored).toMatchObject([{ body }]);
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("friday.csv: 2 rows")).toBeNull();
});

it("the list of wrong rows is a file that no spreadsheet runs a cell of, and that has its letters anywhere", async () => {
  const server = new FakeServer(admin);
  const problem = "This store has no area Küche;=cmd|'/C calc'!A0. Correct it.";
  const bad = Array.from({ length: 101 }, (_, at) => ({ row: at + 2, problem }));
  server.answer(checkCountRows, { ...unchecked, bad });
  const saved: Blob[] = [];
  vi.stubGlobal(
    "URL",
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => {
        saved.push(blob);
        return "blob:wrong-rows";
      },
      revokeObjectURL: () => undefined,
    }),
  );
  await load(server, "area,code,quantity\nA1,500,3");
  await userEvent.click(await screen.findByRole("button", { name: "Save the List" }));
  const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer(0));
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\r\n");
  expect(lines[0]).toBe("\ufeffrow,problem");
  expect(lines[1]).toBe(`2,"This store has no area Küche;'=cmd|'/C calc'!A0. Correct it."`);
  expect(lines).toHaveLength(102);
  vi.unstubAllGlobals();
});

it("S38: a file that is here already has nothing to store", async () => {
  const server = new FakeServer(admin);
  server.answer(checkCountRows, { ...unchecked, known: { rows: 1, voided: 1 } });
  await load(server, "A1,500,3");
  await screen.findByText("There is nothing new in this file.");
  screen.getByText(/use the area's Previous counts under Sessions/);
  expect(screen.queryByText(/No figure goes by the times/)).toBeNull();
  expect(screen.queryByRole("button", { name: /^Store/ })).toBeNull();
});

const alike = { rows: 2, units: 7, examples: [3, 4] };

it("S38: rows that look like some that are here already have a figure of their own, and are left out by default", async () => {
  const server = new FakeServer(admin);
  const checked = server.answer(checkCountRows, {
    ...{ ...unchecked, counted: { rows: 1, units: 3 }, alike, asOf: 41 },
  });
  const stored = server.answer(storeCountRows, { ...unstored, counted: { rows: 1, units: 3 }, alike });
  await load(server, "area,code,quantity\nA1,500,3\nA1,501,3\nA1,502,4");
  const store = await screen.findByRole("button", { name: "Store 1 Row" });
  expect(cellBeside(/^Looks like a row that is here already/)).toContain("2");
  screen.getByText("2 rows look like rows that are here already");
  screen.getByText(/^Rows 3, 4: area, .* Store them only if they are other counts of the same product\.$/);
  await userEvent.click(store);
  await screen.findByText("The file was loaded: 3 units counted");
  expect(cellBeside(/^Looks like a row that is here already/)).toContain("2");
  expect(checked).toMatchObject([{ body: { countAlike: false } }]);
  expect(stored).toMatchObject([{ body: { countAlike: false, asOf: 41 } }]);
});

it("S38: rows that look like some that are here already are counted by a press of their own, and after a failure too", async () => {
  const server = new FakeServer(admin);
  server.answer(checkCountRows, { ...unchecked, alike, asOf: 41 });
  await load(server, "area,code,quantity\nA1,501,3\nA1,502,4");
  const button = await screen.findByRole("button", { name: "Store 2 Rows, These Too" });
  expect(screen.queryByText("There is nothing new in this file.")).toBeNull();
  expect(screen.queryByRole("button", { name: /^Store 0/ })).toBeNull();
  server.refuse(storeCountRows, "SESSION_ENDING", "This counting session is ending.");
  await userEvent.click(button);
  await screen.findByText(/Everything stored so far is safe/);
  const stored = server.answer(storeCountRows, { ...unstored, counted: { rows: 2, units: 7 } });
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByText("The file was loaded: 7 units counted");
  expect(stored).toMatchObject([{ body: { countAlike: true, asOf: 41 } }]);
});

it("a file of something else is refused before anything is sent", async () => {
  const server = new FakeServer(admin);
  const checked = server.answer(checkCountRows, unchecked);
  await load(server, "name,e-mail\nMia,mia@example.com");
  await screen.findByText(/does not name the columns area, code and quantity/);
  expect(checked).toEqual([]);
});

it("counts what was stored beside a part that failed before as stored", async () => {
  const server = new FakeServer(admin);
  server.answer(checkCountRows, { ...unchecked, counted: { rows: 2000, units: 2000 } });
  await load(server, "A1,500,1\n".repeat(2001));
  const button = await screen.findByRole("button", { name: "Store 4,000 Rows" });
  const stored = Response.json({ ...unstored, counted: { rows: 2000, units: 2000 } });
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  server.answerWith(storeCountRows, ({ body }) => {
    if (Object(body).rows.length > 1) return refused.then(() => stored);
    const refusal = { error: "This counting session is ending. Nothing was stored.", code: "SESSION_ENDING" };
    // Once the refusal has been read.
    setTimeout(refuse);
    return Response.json(refusal, { status: 409 });
  });
  await userEvent.click(button);
  await screen.findByText(/Everything stored so far is safe/);
  server.answerLater(storeCountRows, { ...unstored, counted: { rows: 1, units: 1 } });
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByText(/2,000 of 2,001 rows/);
});

it("after a failure it goes on, and what was stored is sent no more", async () => {
  const server = new FakeServer(admin);
  server.answer(checkCountRows, { ...unchecked, counted: { rows: 2000, units: 2000 } });
  const parts: unknown[] = [];
  server.answer(storeCountRows, () => ({ ...unstored, counted: { rows: 2000, units: 2000 } }));
  await load(server, "A1,500,1\n".repeat(2001));
  const button = await screen.findByRole("button", { name: "Store 4,000 Rows" });
  server.answerWith(storeCountRows, ({ body }) => {
    const rows = Object(body).rows.length;
    const isRefused = rows === 1 && !parts.includes(1);
    parts.push(rows);
    const answer = isRefused
      ? { error: "This counting session is ending. Nothing was stored.", code: "SESSION_ENDING" }
      : { ...unstored, counted: { rows: 1, units: 1 } };
    return Response.json(answer, { status: isRefused ? 409 : 200 });
  });
  await userEvent.click(button);
  await screen.findByText(/Everything stored so far is safe/);
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByText("The file was loaded: 2 units counted");
  // Two are under way at a time, and either may arrive first.
  expect(parts.sort()).toEqual([1, 1, 2000]);
});

const lost = { error: "The server is busy.", code: "OVERLOADED" };

it("what a part stored whose answer was lost is told as stored, and only what was here before as known", async () => {
  const server = new FakeServer(admin);
  const earlier = { rows: 2, voided: 0, counted: { rows: 1, units: 3 }, unresolved: 1, late: 0 };
  server.answer(checkCountRows, {
    ...{ ...unchecked, known: earlier, counted: { rows: 4, units: 20 } },
    unresolved: { rows: 1, codes: ["999"] },
  });
  await load(server, "area,code,quantity\nA1,500,3");
  const button = await screen.findByRole("button", { name: "Store 5 Rows" });
  const known = { rows: 7, voided: 0, counted: { rows: 4, units: 18 }, unresolved: 2, late: 1 };
  let isLost = true;
  server.answerWith(storeCountRows, () => {
    if (!isLost) return Response.json({ ...unstored, known });
    isLost = false;
    return Response.json(lost, { status: 503, headers: { "retry-after": "0" } });
  });
  await userEvent.click(button);
  await screen.findByText("The file was loaded: 15 units counted");
  expect(cellBeside("Counted (15 units)")).toContain("3");
  expect(cellBeside(/^Code fits no product/)).toContain("1");
  expect(cellBeside(/^Its area was just closed/)).toContain("1");
  expect(cellBeside("Already here: not counted again")).toContain("2");
});
