import { endSession, neverCountedGroups } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { queryRoots } from "../../http/query-roots.ts";
import { openPage } from "../../testing/open-page.tsx";
import { pressOnceEnabled } from "../../testing/press.ts";
import { active, sessionsServer } from "./testing/sessions-server.ts";

const figures = { items: 14, unlisted: 9, notThere: 3, contradicted: 1, vendors: [], productTypes: [] };

async function openDialog() {
  await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
  await dialog.findByText("14 SKUs in stock were never counted");
  return dialog;
}

it("before the end what was never counted is named, how far it was looked for, and where to have it looked for", async () => {
  const server = sessionsServer();
  server.answer(neverCountedGroups, figures);
  openPage("/admin/sessions");
  const dialog = await openDialog();
  dialog.getByText(/^3 were looked for and not found, 1 contradicted\./);
  const link = dialog.getByRole("link", { name: "Have Them Looked For" });
  expect(link.getAttribute("href")).toMatch(/^\/admin\/sessions\/[^/]+\/searches$/);
});

it("it is not read again while the session ends, as nobody looks for anything after it", async () => {
  const server = sessionsServer();
  const asked = server.answer(neverCountedGroups, figures);
  const ending = server.answerLater(endSession, { session: active });
  const { client } = openPage("/admin/sessions");
  const dialog = await openDialog();
  await pressOnceEnabled(dialog.getByRole("button", { name: "End Session" }));
  await waitFor(() => expect(ending.sent).toHaveLength(1));
  await client.invalidateQueries({ queryKey: [queryRoots.searches] });
  expect(asked).toHaveLength(1);
  ending.release();
});
