import { restorePass, sessionPasses } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { area } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { sessionsServer } from "../testing/sessions-server.ts";

it("lists voided counts with scans and restores one after a question", async () => {
  const server = sessionsServer();
  const ended = { declaredTotal: null, serverTotal: null, endedAt: "2026-03-01T09:00:00.000Z" };
  server.answer(sessionPasses, {
    passes: [
      { ...ended, areaId: "area-1", pass: 1, scans: 0, endedAs: "reset" },
      { ...ended, areaId: "area-1", pass: 2, scans: 40, endedAs: "mismatched" },
      { ...ended, areaId: "area-1", pass: 3, scans: 12, endedAs: null, endedAt: null },
    ],
  });
  const sent = server.answer(restorePass, { area: area({ status: "in_progress" }) });
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "Previous counts" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Previous counts of Harbour Street" }));
  await dialog.findByText("Count mismatch");
  expect(dialog.getAllByRole("button", { name: /Restore/ })).toHaveLength(1);
  await userEvent.click(dialog.getByRole("button", { name: /Restore/ }));
  const question = within(await screen.findByRole("dialog", { name: "Restore this count?" }));
  await userEvent.click(question.getByRole("button", { name: "Restore" }));
  await screen.findByText("The previous count of Sales Floor: A1 – Window was restored.");
  expect(sent[0]?.body).toEqual({ areaId: "area-1", pass: 2 });
});
