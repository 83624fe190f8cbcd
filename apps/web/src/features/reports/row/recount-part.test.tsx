import {
  createPlan,
  deletePlan,
  explainRow,
  listPlans,
  type SessionPlan,
  updatePlan,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { session, sessionPlan } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";
import { recountListName } from "./recount-list.ts";

const name = recountListName(session());
const back = { _id: "area-2", code: "B1", name: "Back", location: "Stockroom" };

async function openDrawer(plans: SessionPlan[], changes: Parameters<typeof explanation>[0] = {}) {
  const server = reportServer();
  server.answer(explainRow, explanation(changes));
  server.answer(listPlans, { plans });
  openPage(`${address}&row=LIN-S`);
  const part = within(await screen.findByRole("region", { name: "Count it again" }));
  return { server, part };
}

async function press(part: Awaited<ReturnType<typeof openDrawer>>["part"], label: string) {
  const button = await part.findByRole("button", { name: label });
  await waitFor(() => expect(button).toHaveProperty("disabled", false));
  await userEvent.click(button);
}

const heading = "Count only these, wherever they lie:";

it("a row is marked with the areas its units were found in, and the page says where it went", async () => {
  const [pass] = explanation().passes;
  const passes = pass === undefined ? [] : [pass, { ...pass, area: back }, { ...pass, pass: 1, units: 0 }];
  const { server, part } = await openDrawer([], { passes });
  const sent = server.answer(createPlan, { plan: sessionPlan({ name }) });
  const note = `${heading}\nLIN-S: A1, B1`;
  server.answer(listPlans, { plans: [sessionPlan({ name, note, people: [] })] });
  await press(part, "Mark for a Recount");
  await part.findByText(/Start it when people are there, and have them count only what is on the list/);
  expect(sent.map(({ body }) => body)).toEqual([
    {
      storeId: "store-1",
      name,
      scope: "partial",
      people: null,
      areaIds: null,
      assignmentsEnforced: false,
      note,
    },
  ]);
});

it("further rows go on the same list, also what nobody found", async () => {
  const list = sessionPlan({ name, note: `${heading}\nLIN-M: A3`, areaIds: null });
  const { server, part } = await openDrawer([list], { passes: [] });
  const sent = server.answer(updatePlan, { plan: list });
  await press(part, "Mark for a Recount");
  await part.findByRole("button", { name: "Mark for a Recount" });
  expect(sent.map(({ body }) => body)).toMatchObject([
    { areaIds: null, note: `${heading}\nLIN-M: A3\nLIN-S: found nowhere`, people: list.people },
  ]);
});

it("a row is taken off the list, which goes with its last row", async () => {
  const list = sessionPlan({ name, note: `${heading}\nLIN-S: A1\nLIN-M: B1`, areaIds: null });
  const { server, part } = await openDrawer([list]);
  const changed = server.answer(updatePlan, { plan: list });
  const deleted = server.answer(deletePlan, { success: true });
  const takeOff = () => press(part, "Take It off the List");
  server.answer(listPlans, { plans: [{ ...list, note: `${heading}\nLIN-S: A1` }] });
  await takeOff();
  expect(changed.map(({ body }) => body)).toMatchObject([{ note: `${heading}\nLIN-M: B1` }]);
  server.answer(listPlans, { plans: [] });
  await takeOff();
  await part.findByRole("button", { name: "Mark for a Recount" });
  expect(deleted.map(({ path }) => path)).toEqual(["/api/session-plans/plan-1"]);
});

it("nothing can be marked while it is not known what is planned already", async () => {
  const server = reportServer();
  server.answer(explainRow, explanation());
  server.refuse(listPlans, "INTERNAL", "Something went wrong.");
  openPage(`${address}&row=LIN-S`);
  const part = within(await screen.findByRole("region", { name: "Count it again" }));
  await part.findByText(/Something went wrong/);
  expect(part.getByRole("button", { name: "Mark for a Recount" })).toHaveProperty("disabled", true);
});

it("a mark that can't be kept is said, with what to do", async () => {
  const { server, part } = await openDrawer([]);
  server.refuse(createPlan, "VALIDATION", "Note can have at most 500 characters.");
  await press(part, "Mark for a Recount");
  await part.findByText(/at most 500 characters/);
});
