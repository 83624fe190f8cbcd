import {
  listAreas,
  listLocations,
  listPlans,
  listSessions,
  type SessionPlan,
  updatePlan,
  updateSession,
} from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { area, location, sessionPlan } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { active, sessionsServer } from "../testing/sessions-server.ts";

const ada = { counterName: "Ada", email: "ada@example.com", areaIds: [] };
const mia = { counterName: "Mia", email: "mia@example.com", areaIds: ["area-1"] };
const tom = { counterName: "Tom", email: "tom@example.com", areaIds: [] };
const opened = sessionPlan({ people: [ada] });
const refusal = "The planned session was changed after you had opened it. Nothing of yours was saved.";

async function openPlan(plan = opened) {
  const server = sessionsServer();
  server.answer(listPlans, { plans: [plan] });
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, { areas: [area(), area({ _id: "area-2", code: "A2", name: "A2" })] });
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: /^Edit the planned/ }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Planned Session of/ }));
  const field = (label: string) => dialog.getByLabelText<HTMLTextAreaElement>(label);
  const press = (name: string) => userEvent.click(dialog.getByRole("button", { name }));
  const retype = async (label: string, text: string) => {
    await userEvent.clear(field(label));
    await userEvent.click(field(label));
    await userEvent.paste(text);
  };
  /** Saving is refused, because the plan is another by now. */
  const saveLate = async (now: SessionPlan) => {
    server.answer(listPlans, { plans: [now] });
    server.refuse(updatePlan, "CHANGED_MEANWHILE", refusal);
    await press("Save Plan");
    await dialog.findByText(refusal);
    return within(await dialog.findByRole("status"));
  };
  /** Saves again; gives what is sent. */
  const save = async () => {
    const sent = server.answer(updatePlan, { plan: opened });
    await press("Save Plan");
    await screen.findByText(/Nobody has been told yet/);
    return sent[0]?.body;
  };
  return { server, dialog, field, press, retype, saveLate, save };
}

const people = "People to Invite (Optional)";
const seenOf = ({ _id, storeId, deletedAreas, createdAt, ...content }: SessionPlan) => content;

it("a plan that somebody else has changed keeps what they planned, and what was typed here", async () => {
  const { field, retype, saveLate, save } = await openPlan();
  await retype("Note (Optional)", "Bring ladders");
  const theirs = { ...opened, people: [ada, mia, tom], assignmentsEnforced: true };
  const notice = await saveLate(theirs);
  notice.getByText(
    "Since you opened this, it was changed elsewhere: People to Invite, Assigned areas, Who may count an assigned area. The form shows it as it is now. What you typed is still here.",
  );
  expect(field("Note (Optional)").value).toBe("Bring ladders");
  expect(field(people).value.split("\n")).toHaveLength(3);
  expect(await save()).toEqual({ ...seenOf(theirs), note: "Bring ladders", seen: seenOf(theirs) });
});

it("people whom both have added are all invited, and whom one has taken out is not", async () => {
  const { field, retype, saveLate } = await openPlan();
  await retype(people, "Ada <ada@example.com>\nIda <ida@example.com>");
  await saveLate({ ...opened, people: [mia, tom] });
  expect(field(people).value.split("\n")).toEqual([
    "Ida <ida@example.com>",
    "Mia <mia@example.com>",
    "Tom <tom@example.com>",
  ]);
});

it("a save whose answer was lost is not told as somebody else's, though the server writes it in another way", async () => {
  const { dialog, retype, save, server, press } = await openPlan();
  await retype("Session Name (Optional)", " Spring ");
  await retype("Note (Optional)", "Bring ladders\n");
  await retype(people, "Ada <ada@example.com>\nIda, ida@example.com");
  const ida = { counterName: "Ida", email: "ida@example.com", areaIds: [] };
  const mine = { ...opened, name: "Spring", note: "Bring ladders", people: [ada, ida] };
  server.answer(listPlans, { plans: [mine] });
  server.refuse(updatePlan, "CHANGED_MEANWHILE", refusal);
  await press("Save Plan");
  await dialog.findByText(refusal);
  expect(dialog.queryByRole("status")).toBeNull();
  expect(await save()).toEqual({
    ...seenOf(mine),
    name: " Spring ",
    note: "Bring ladders\n",
    seen: seenOf(mine),
  });
});

it("nor is one that made the count of chosen areas a full one, whoever they were assigned to", async () => {
  const chosen = sessionPlan({
    scope: "partial",
    areaIds: ["area-1"],
    people: [{ ...mia, areaIds: ["area-2"] }],
  });
  const { server, dialog, press } = await openPlan(chosen);
  await userEvent.click(dialog.getByRole("radio", { name: "Full count" }));
  server.answer(listPlans, { plans: [{ ...chosen, scope: "full", areaIds: null }] });
  server.refuse(updatePlan, "CHANGED_MEANWHILE", refusal);
  await press("Save Plan");
  await dialog.findByText(refusal);
  expect(dialog.queryByRole("status")).toBeNull();
});

it("areas that somebody else chose for a count that is a full one here can be taken over", async () => {
  const chosen = sessionPlan({ scope: "partial", areaIds: ["area-1"] });
  const { dialog, press, saveLate, save } = await openPlan(chosen);
  await userEvent.click(dialog.getByRole("radio", { name: "Full count" }));
  const theirs = { ...chosen, areaIds: ["area-1", "area-2"] };
  await saveLate(theirs);
  await press("Use What Is There Now: Areas");
  expect(await save()).toMatchObject({ scope: "partial", areaIds: ["area-1", "area-2"] });
});

it("nor are people listed twice where another administrator has added somebody after it", async () => {
  const { field, retype, saveLate } = await openPlan();
  await retype(people, "Ada <ada@example.com>\nIda, ida@example.com");
  const ida = { counterName: "Ida", email: "ida@example.com", areaIds: [] };
  const notice = await saveLate({ ...opened, people: [ada, ida, tom] });
  expect(notice.queryByText(/was changed elsewhere too/)).toBeNull();
  expect(field(people).value.split("\n")).toEqual([
    "Ada <ada@example.com>",
    "Ida <ida@example.com>",
    "Tom <tom@example.com>",
  ]);
});

it("what both have changed is told, and either of the two can be chosen, back and forth", async () => {
  const { field, retype, press, saveLate, save } = await openPlan();
  await retype("Note (Optional)", "Bring ladders");
  await retype(people, "Ada Lovelace <ada@example.com>");
  const theirs = { ...opened, note: "Racks last", people: [{ ...ada, counterName: "Ada L." }] };
  const notice = await saveLate(theirs);
  notice.getByText(
    "Note was changed elsewhere too, and is now “Racks last”. Saving replaces it with what is in the form.",
  );
  notice.getByText(/^People to Invite was changed elsewhere too, and is now “Ada L. <ada@example.com>”/);
  expect(field("Note (Optional)").value).toBe("Bring ladders");
  await press("Use What Is There Now: People to Invite");
  await press("Use What Is There Now: Note");
  expect(field("Note (Optional)").value).toBe("Racks last");
  await press("Use What I Typed: Note");
  expect(field("Note (Optional)").value).toBe("Bring ladders");
  expect(field(people).value).toBe("Ada L. <ada@example.com>");
  expect(await save()).toEqual({ ...seenOf(theirs), note: "Bring ladders", seen: seenOf(theirs) });
});

it("a plan that is gone leaves what was typed where it is", async () => {
  const { server, dialog, field, retype, press } = await openPlan();
  await retype("Note (Optional)", "Bring ladders");
  server.answer(listPlans, { plans: [] });
  server.refuse(updatePlan, "NOT_FOUND", "The planned session was not found.");
  await press("Save Plan");
  await dialog.findByText("The planned session was not found.");
  expect(field("Note (Optional)").value).toBe("Bring ladders");
  expect(dialog.queryByRole("status")).toBeNull();
});

it("so it is with a session's name and note", async () => {
  const server = sessionsServer();
  const session = { ...active, name: "Spring", note: null };
  server.answer(listSessions, { sessions: [session] });
  openPage("/admin/sessions");
  const [button] = await screen.findAllByRole("button", { name: /^Name and Note of/ });
  if (button === undefined) throw new Error("Nothing opens the dialog.");
  await userEvent.click(button);
  const dialog = within(await screen.findByRole("dialog", { name: /^Name and Note of/ }));
  await userEvent.type(dialog.getByLabelText("Session Name (Optional)"), " count");
  server.answer(listSessions, { sessions: [{ ...session, note: "Racks first" }] });
  server.refuse(updateSession, "CHANGED_MEANWHILE", "The name or note was changed after you had opened it.");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.findByText(/^Since you opened this, it was changed elsewhere: Note\./);
  const sent = server.answer(updateSession, { session: active });
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await screen.findByText("The name and note of Harbour Street were saved.");
  const seen = { name: "Spring", note: "Racks first" };
  expect(sent[0]?.body).toEqual({ name: "Spring count", note: "Racks first", seen });
});
