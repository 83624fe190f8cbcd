import { endSession, listShopifyLocations } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { session, store } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { active, sessionsServer } from "../testing/sessions-server.ts";

const refusal = "Shopify no longer has this store's location. The session still counts.";
const choice = "Location Gone for Good";
const here = { id: store().shopifyLocationId, name: "Harbour Street" };
const elsewhere = { id: "gid://shopify/Location/2", name: "Old Mill" };

/** Asks for the end of the session that counts, which Shopify refuses. */
async function endRefused(locations: readonly (typeof here)[]) {
  const server = sessionsServer();
  const asked = server.answer(listShopifyLocations, { locations: [...locations] });
  let refuse = (): void => undefined;
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  server.answerWith(endSession, async () => {
    await refused;
    return Response.json({ error: refusal, code: "PLATFORM_ERROR" }, { status: 502 });
  });
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
  await dialog.findByText("1 area has not been closed");
  expect(dialog.queryByRole("button", { name: choice })).toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: "End Session" }));
  await dialog.findByRole("button", { name: "Ending Session..." });
  refuse();
  await dialog.findByText(refusal);
  return { server, dialog, asked };
}

it("an end that was refused as the location is gone can be made without stock, once it was said what comes of that", async () => {
  const { server, dialog } = await endRefused([elsewhere]);
  await userEvent.click(await dialog.findByRole("button", { name: choice }));
  const question = within(await screen.findByRole("dialog", { name: "End without stock?" }));
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  expect(question.queryByText(refusal)).toBeNull();
  question.getByText(/activate it in Shopify and end the session as usual/);
  question.getByText(/^Counts are compared with Shopify's stock at the start/);
  question.getByText("Nothing of this session can be deployed to Shopify.");
  const sent = server.answer(endSession, { session: session() });
  await userEvent.click(question.getByRole("button", { name: "End Without Stock" }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ sessionId: active._id, withoutEndStock: true }));
  await screen.findByText(/has ended/);
});

it("whoever cancels that is back at the ordinary end, and can still choose", async () => {
  const { server, dialog } = await endRefused([elsewhere]);
  await userEvent.click(await dialog.findByRole("button", { name: choice }));
  const question = within(await screen.findByRole("dialog", { name: "End without stock?" }));
  await userEvent.click(question.getByRole("button", { name: "Cancel" }));
  const again = within(await screen.findByRole("dialog", { name: "End session?" }));
  await again.findByRole("button", { name: choice });
  const sent = server.answer(endSession, { session: session() });
  await again.findByText("1 area has not been closed");
  await userEvent.click(again.getByRole("button", { name: "End Session" }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ sessionId: active._id }));
});

it("an end that Shopify refused for another reason offers no end without stock", async () => {
  const { dialog, asked } = await endRefused([here, elsewhere]);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(dialog.queryByRole("button", { name: choice })).toBeNull();
});
