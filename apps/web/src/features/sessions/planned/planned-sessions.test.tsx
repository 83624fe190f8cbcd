import {
  createPlan,
  deletePlan,
  health,
  listAreas,
  listLocations,
  listPlans,
  listSessions,
  listStores,
  type SessionPlan,
  startPlan,
  updatePlan,
} from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { area, location, sessionPlan } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { active, sessionsServer } from "../testing/sessions-server.ts";
import { plannedMessages } from "./messages.ts";

const oldMill = { _id: "store-2", name: "Old Mill" };

const plan = (changes: Partial<SessionPlan> = {}) => sessionPlan({ storeId: oldMill, ...changes });

function plansServer(plans: SessionPlan[]) {
  const server = sessionsServer();
  server.answer(listPlans, { plans });
  server.answer(listLocations, { locations: [location({ storeId: oldMill })] });
  server.answer(listAreas, { areas: [area(), area({ _id: "area-2", code: "A2", name: "A2" })] });
  return server;
}

async function openPlans() {
  openPage("/admin/sessions");
  return within(await screen.findByRole("region", { name: "Planned Sessions" }));
}

it("says that nothing is planned, and what planning is for", async () => {
  plansServer([]);
  const section = await openPlans();
  await section.findByText("Nothing Planned");
  section.getByText(/Nobody is told of it until you start it\./);
});

it("a long list of plans can be searched by store, name and note", async () => {
  const further = Array.from({ length: 8 }, (_none, index) =>
    plan({ _id: `plan-${index}`, name: `Count ${index}`, note: index === 3 ? "Cellar too" : null }),
  );
  plansServer(further);
  const section = await openPlans();
  const field = await section.findByRole("searchbox", { name: /Planned Sessions/ });
  expect(section.getAllByRole("article")).toHaveLength(8);
  await userEvent.type(field, "cellar");
  expect(section.getAllByRole("article").map((card) => card.getAttribute("aria-label"))).toEqual([
    "Planned: Old Mill – Count 3",
  ]);
});

it.each([
  ["sessions", listSessions],
  ["stores", listStores],
] as const)(
  "what is written in a plan stays when the %s can't be read again for a while",
  async (_what, call) => {
    const server = plansServer([plan()]);
    const { client } = openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: /^Edit the planned/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "Planned Session of Old Mill" }));
    const name = dialog.getByLabelText("Session Name (Optional)");
    await userEvent.clear(name);
    await userEvent.type(name, "Autumn count");
    server.loseNetwork(call);
    await client.invalidateQueries();
    await screen.findByText(/^Failed to fetch/);
    expect(name).toHaveProperty("isConnected", true);
    expect(name).toHaveProperty("value", "Autumn count");
  },
);

it("plans stay where they can't be read again, and that is said", async () => {
  const server = plansServer([plan()]);
  const { client } = openPage("/admin/sessions");
  const card = await screen.findByRole("article", { name: /^Planned: Old Mill/ });
  server.loseNetwork(listPlans);
  await client.invalidateQueries();
  await screen.findByText(plannedMessages.fetchFailed);
  expect(card).toHaveProperty("isConnected", true);
});

it("a session is planned with its areas and people, and sent as it was chosen", async () => {
  const sent = plansServer([]).answer(createPlan, { plan: plan() });
  const section = await openPlans();
  await userEvent.click(section.getByRole("button", { name: "Plan a Session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Plan a Session" }));
  const save = dialog.getByRole("button", { name: "Save Plan" });
  expect(save).toHaveProperty("disabled", true);
  await userEvent.selectOptions(dialog.getByLabelText("Store"), "Old Mill");
  await userEvent.type(dialog.getByLabelText("Session Name (Optional)"), "Spring count");
  expect(dialog.getByRole("checkbox", { name: "All areas of the store" })).toHaveProperty("disabled", true);
  await userEvent.click(dialog.getByRole("radio", { name: "Partial count" }));
  await userEvent.click(dialog.getByRole("checkbox", { name: "All areas of the store" }));
  await userEvent.click(await dialog.findByRole("checkbox", { name: "A1 – Window" }));
  await userEvent.click(dialog.getByLabelText("People to Invite (Optional)"));
  await userEvent.paste("Ada, ada@example.com\nTom, tom@");
  dialog.getByText("Line 2: tom@ is not a valid email address.");
  expect(save).toHaveProperty("disabled", true);
  await userEvent.paste("example.com");
  await userEvent.click(save);
  await screen.findByText("The session in Old Mill is planned. Nobody has been told yet.");
  expect(sent[0]?.body).toEqual({
    ...{ storeId: "store-2", name: "Spring count", note: "", scope: "partial", areaIds: ["area-2"] },
    people: [
      { counterName: "Ada", email: "ada@example.com", areaIds: [] },
      { counterName: "Tom", email: "tom@example.com", areaIds: [] },
    ],
    assignmentsEnforced: false,
  });
});

it("a plan shows what it holds, and is changed with all of it in the form", async () => {
  const sent = plansServer([plan()]).answer(updatePlan, { plan: plan() });
  const section = await openPlans();
  const card = within(await section.findByRole("article", { name: "Planned: Old Mill – Spring count" }));
  for (const text of ["Partial count", "1 area", "1 person", "Racks first"]) card.getByText(text);
  await userEvent.click(card.getByRole("button", { name: "Edit the planned Old Mill – Spring count" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Planned Session of Old Mill" }));
  expect(dialog.getByLabelText("People to Invite (Optional)")).toHaveProperty(
    "value",
    "Ada <ada@example.com>",
  );
  await userEvent.clear(dialog.getByLabelText("People to Invite (Optional)"));
  await userEvent.click(dialog.getByRole("radio", { name: "Full count" }));
  await userEvent.click(dialog.getByRole("button", { name: "Save Plan" }));
  await screen.findByText(/Nobody has been told yet/);
  expect(sent[0]?.body).toEqual({
    ...{ name: "Spring count", note: "Racks first", scope: "full", areaIds: null, people: null },
    assignmentsEnforced: false,
    seen: {
      ...{ name: "Spring count", note: "Racks first", scope: "partial", areaIds: ["area-1"] },
      people: [{ counterName: "Ada", email: "ada@example.com", areaIds: [] }],
      assignmentsEnforced: false,
    },
  });
});

it("areas are assigned to the people who are invited, those that are counted alone, and shown with the plan", async () => {
  const server = plansServer([]);
  const sent = server.answer(createPlan, { plan: plan() });
  const section = await openPlans();
  await userEvent.click(section.getByRole("button", { name: "Plan a Session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Plan a Session" }));
  await userEvent.selectOptions(dialog.getByLabelText("Store"), "Old Mill");
  expect(dialog.queryByRole("button", { name: "Assign Areas to These People" })).toBeNull();
  await userEvent.click(dialog.getByLabelText("People to Invite (Optional)"));
  await userEvent.paste("Ada, ada@example.com\nTom, tom@example.com");
  const shown = vi.spyOn(Element.prototype, "scrollIntoView");
  await userEvent.click(await dialog.findByRole("button", { name: "Assign Areas to These People" }));
  // It opens below what the dialog shows.
  expect(shown).toHaveBeenCalled();
  expect(document.activeElement).toBe(dialog.getByLabelText("Person"));
  await userEvent.click(dialog.getByRole("checkbox", { name: "A1 – Window" }));
  await userEvent.selectOptions(dialog.getByLabelText("Person"), "Tom, tom@example.com: 0 areas");
  await userEvent.click(dialog.getByRole("checkbox", { name: "Sales Floor" }));
  await userEvent.click(dialog.getByRole("checkbox", { name: "Only who is assigned may count an area" }));
  dialog.getByText("Also Ada");
  await userEvent.click(dialog.getByRole("radio", { name: "Partial count" }));
  await userEvent.click(dialog.getByRole("checkbox", { name: "All areas of the store" }));
  const [counted] = dialog.getAllByRole("checkbox", { name: "A2" });
  if (counted !== undefined) await userEvent.click(counted);
  await userEvent.click(dialog.getByRole("button", { name: "Save Plan" }));
  await screen.findByText(/Nobody has been told yet/);
  expect(sent[0]?.body).toMatchObject({
    areaIds: ["area-1"],
    people: [
      { counterName: "Ada", areaIds: ["area-1"] },
      { counterName: "Tom", areaIds: ["area-1"] },
    ],
    assignmentsEnforced: true,
  });
});

it("a plan with assignments opens with them, says what was deleted, and keeps whose they are while lines are rewritten", async () => {
  const ada = { counterName: "Ada", email: "Ada@example.com", areaIds: ["area-1", "area-2"] };
  const planned = plan({ people: [ada], areaIds: null, scope: "full", deletedAreas: ["A3", "A4 - Racks"] });
  const sent = plansServer([planned]).answer(updatePlan, { plan: planned });
  const section = await openPlans();
  await section.findByText("2 areas to 1 person");
  section.getByText("Deleted since this was planned, so not counted and nobody's: A3, A4 - Racks.");
  await userEvent.click(section.getByRole("button", { name: "Edit the planned Old Mill – Spring count" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Planned Session of Old Mill" }));
  dialog.getByText("Deleted since this was planned: A3, A4 - Racks. Saving takes them out of the plan.");
  await dialog.findByText("Every area is assigned to somebody.");
  await userEvent.click(dialog.getByRole("checkbox", { name: "A2" }));
  const people = dialog.getByLabelText("People to Invite (Optional)");
  await userEvent.clear(people);
  await userEvent.click(people);
  await userEvent.paste("Ada L., ada@example.com");
  await userEvent.click(dialog.getByRole("button", { name: "Save Plan" }));
  await screen.findByText(/Nobody has been told yet/);
  expect(sent[0]?.body).toMatchObject({
    people: [{ counterName: "Ada L.", areaIds: ["area-1"] }],
    assignmentsEnforced: false,
  });
});

async function askToStart() {
  const section = await openPlans();
  const name = "Start Now: the planned Old Mill – Spring count";
  await userEvent.click(await section.findByRole("button", { name }));
  return within(await screen.findByRole("dialog", { name: "Start session?" }));
}

it("starting it says first who is invited and what is counted", async () => {
  const sent = plansServer([plan()]).answer(startPlan, { session: active });
  const dialog = await askToStart();
  dialog.getByText("1 person gets an invitation by mail at once.");
  dialog.getByText("Only 1 area is counted.");
  expect(sent).toEqual([]);
  await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
  await screen.findByText("Counting has started in Old Mill.");
  expect(sent).toMatchObject([{ path: "/api/session-plans/plan-1/start" }]);
});

it("without a mail server it promises no mail, and says where the links are, also once it has started", async () => {
  const server = plansServer([plan()]);
  const ok = { status: "ok", message: "" } as const;
  const notConfigured = { status: "not_configured", message: "" } as const;
  server.answer(health, {
    ...{ status: "ok", database: ok, shopify: ok, sync: ok, mail: notConfigured },
    ...{ demo: false, version: "1.0.0", epoch: "epoch-1" },
  });
  server.answer(startPlan, { session: active });
  const where =
    "No mail server is configured, so nothing is sent: pass on each link yourself, from the list under Invite Counters.";
  const section = await openPlans();
  await userEvent.click(section.getByRole("button", { name: "Plan a Session" }));
  const planning = within(await screen.findByRole("dialog", { name: "Plan a Session" }));
  await planning.findByText(
    `One person a line: name, email. They get their invitations when you start the session. ${where}`,
  );
  await userEvent.click(planning.getByRole("button", { name: "Cancel" }));
  await userEvent.click(
    section.getByRole("button", { name: "Start Now: the planned Old Mill – Spring count" }),
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
  dialog.getByText(`1 person gets an invitation at once. ${where}`);
  expect(dialog.queryByText(/by mail/)).toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
  await screen.findByText(`Counting has started in Old Mill. 1 invitation was created. ${where}`);
});

it("starting it says what is assigned, and what it names that is gone", async () => {
  const people = [{ counterName: "Ada", email: "ada@example.com", areaIds: ["area-1"] }];
  plansServer([plan({ people, assignmentsEnforced: true, deletedAreas: ["A3"] })]);
  const dialog = await askToStart();
  dialog.getByText("Deleted since this was planned, so not counted and nobody's: A3.");
  dialog.getByText("1 area is assigned with the invitations, and nobody else may count it then.");
});

it("a start that is refused says why, and leaves the plan", async () => {
  const server = plansServer([plan()]);
  server.refuse(startPlan, "PLATFORM_UNAVAILABLE", "Shopify can't be reached. Nothing was started.");
  const dialog = await askToStart();
  await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
  await dialog.findByText("Shopify can't be reached. Nothing was started.");
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  screen.getByRole("article", { name: "Planned: Old Mill – Spring count" });
});

it("a plan of a store that is being counted waits, and says for what", async () => {
  plansServer([plan({ storeId: active.storeId, name: null })]);
  const section = await openPlans();
  await section.findByText("This store is being counted now. End that session first.");
  const start = section.getByRole("button", { name: "Start Now: the planned Harbour Street" });
  expect(start).toHaveProperty("disabled", true);
});

it("a plan is deleted once that is confirmed", async () => {
  const server = plansServer([plan()]);
  const sent = server.answer(deletePlan, { success: true });
  const section = await openPlans();
  const name = "Delete the planned Old Mill – Spring count";
  await userEvent.click(await section.findByRole("button", { name }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete the planned session?" }));
  server.answer(listPlans, { plans: [] });
  await userEvent.click(dialog.getByRole("button", { name: "Delete" }));
  await screen.findByText("The planned session of Old Mill was deleted.");
  await section.findByText("Nothing Planned");
  expect(sent).toMatchObject([{ path: "/api/session-plans/plan-1" }]);
});

it("plans that can't be read are told of, and can be read again", async () => {
  const server = plansServer([]);
  server.refuse(listPlans, "INTERNAL", "Something went wrong on the server.");
  const section = await openPlans();
  await section.findByText("Something went wrong on the server.");
});
