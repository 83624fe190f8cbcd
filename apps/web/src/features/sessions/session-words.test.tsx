import { listSessions, startSession, updateSession } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { active, openStart, sessionsServer } from "./testing/sessions-server.ts";

it("a session can be given a name and a note when it is started", async () => {
  const sent = sessionsServer().answer(startSession, { session: active });
  const card = await openStart();
  await userEvent.click(card.getByRole("button", { name: "Start Session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
  await userEvent.type(dialog.getByLabelText("Session Name (Optional)"), "Spring count");
  await userEvent.type(dialog.getByLabelText("Note (Optional)"), "Racks first");
  await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
  await screen.findByText("Counting has started in Old Mill.");
  expect(sent[0]?.body).toEqual({
    ...{ storeId: "store-2", scope: "full", name: "Spring count", note: "Racks first" },
  });
});

it("name and note are shown with a running and with an ended session, which are found by them", async () => {
  const server = sessionsServer();
  const named = { name: "Spring count", note: "Racks first\nWindow last" };
  const others = ["closed-2", "closed-3", "closed-4", "closed-5", "closed-6", "closed-7", "closed-8"].map(
    (_id) => session({ _id }),
  );
  server.answer(listSessions, {
    sessions: [{ ...active, ...named }, session({ _id: "closed-1", name: "Winter count" }), ...others],
  });
  openPage("/admin/sessions");
  const section = within(await screen.findByRole("region", { name: "Active Sessions" }));
  const card = within(await section.findByRole("article"));
  card.getByText("Harbour Street – Spring count");
  card.getByText(/Racks first\s+Window last/);
  const recent = within(screen.getByRole("region", { name: "Recent Sessions" }));
  await userEvent.type(recent.getByRole("searchbox"), "winter");
  const table = within(recent.getByRole("table"));
  expect(table.getAllByRole("row")).toHaveLength(2);
  table.getByText("Harbour Street – Winter count");
});

it("a session is renamed and noted on, and a refusal leaves what was typed", async () => {
  const server = sessionsServer();
  server.answer(listSessions, { sessions: [{ ...active, name: "Spring", note: "Racks first" }] });
  openPage("/admin/sessions");
  const open = { name: "Name and Note of Harbour Street – Spring" };
  const [button] = await screen.findAllByRole("button", open);
  if (button === undefined) throw new Error("Nothing opens the dialog.");
  await userEvent.click(button);
  const dialog = within(await screen.findByRole("dialog", { name: "Name and Note of Harbour Street" }));
  const name = dialog.getByLabelText("Session Name (Optional)");
  expect(name).toHaveProperty("value", "Spring");
  await userEvent.clear(dialog.getByLabelText("Note (Optional)"));
  await userEvent.type(name, " count");
  server.refuse(updateSession, "INTERNAL", "Something went wrong on the server.");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.findByText("Something went wrong on the server.");
  expect(name).toHaveProperty("value", "Spring count");
  const sent = server.answer(updateSession, { session: active });
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await screen.findByText("The name and note of Harbour Street were saved.");
  expect(sent[0]?.body).toEqual({
    ...{ name: "Spring count", note: "", seen: { name: "Spring", note: "Racks first" } },
  });
});
