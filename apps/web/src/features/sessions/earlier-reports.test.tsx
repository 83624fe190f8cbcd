import { listAdjustments, listSessions } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { adjustment, session } from "../../testing/examples.ts";
import type { FakeServer } from "../../testing/fake-server.ts";
import { active, openStart, sessionsServer } from "./testing/sessions-server.ts";

/** A server whose Old Mill was counted before. */
function countedBefore(): FakeServer {
  const server = sessionsServer();
  const storeId = { _id: "store-2", name: "Old Mill" };
  server.answer(listSessions, { sessions: [active, session({ _id: "closed-2", storeId })] });
  return server;
}

async function openQuestion() {
  const card = await openStart();
  await userEvent.click(card.getByRole("button", { name: "Start Session" }));
  return within(await screen.findByRole("dialog", { name: "Start session?" }));
}

it("a report of which nothing can be deployed is not said to be deployed before", async () => {
  const server = sessionsServer();
  const storeId = { _id: "store-2", name: "Old Mill" };
  const ended = session({ _id: "closed-2", storeId, withoutEndStock: true });
  server.answer(listSessions, { sessions: [active, ended] });
  server.answer(listAdjustments, { adjustments: [] });
  const dialog = await openQuestion();
  await waitFor(() =>
    expect(dialog.getByRole("button", { name: "Start Session" })).toHaveProperty("disabled", false),
  );
  expect(dialog.queryByText(/has not been deployed/)).toBeNull();
});

it("no session is started before it is known what that puts an end to", async () => {
  const { release } = countedBefore().answerLater(listAdjustments, { adjustments: [adjustment()] });
  const dialog = await openQuestion();
  const start = dialog.getByRole("button", { name: "Start Session" });
  dialog.getByRole("status");
  expect(start).toHaveProperty("disabled", true);
  release();
  await dialog.findByText(/^The report deployed on Mar 2, 2026.* After this count it can't\.$/);
  expect(start).toHaveProperty("disabled", false);
});

it("where it can't be read that is said, and the session can be started all the same, also while it is read again", async () => {
  const server = countedBefore();
  server.answerRaw(listAdjustments, 500, "");
  const dialog = await openQuestion();
  await dialog.findByText("Whether earlier reports can still be deployed or rolled back could not be read.");
  const start = dialog.getByRole("button", { name: "Start Session" });
  expect(start).toHaveProperty("disabled", false);
  const again = server.answerLater(listAdjustments, { adjustments: [adjustment()] });
  await userEvent.click(dialog.getByRole("button", { name: "Try Again" }));
  await waitFor(() => expect(again.sent).toHaveLength(1));
  expect(start).toHaveProperty("disabled", false);
  again.release();
  await dialog.findByText(/^The report deployed on Mar 2, 2026/);
});
