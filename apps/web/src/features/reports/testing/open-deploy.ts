import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect } from "vitest";
import { openPage } from "../../../testing/open-page.tsx";
import { address } from "./report-server.ts";

/** Opens the report and its deploy dialog, once that shows what would change. */
export async function openDeploy() {
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Deploy to Shopify" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
  await waitFor(() => expect(dialog.queryByText(/Working out what would change/)).toBeNull());
  return dialog;
}
