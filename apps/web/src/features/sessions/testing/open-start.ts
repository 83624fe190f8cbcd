import { screen, within } from "@testing-library/react";
import { openPage } from "../../../testing/open-page.tsx";

/** Opens the sessions page; the answer is the card on which a store's session is started. */
export async function openStart(name = "Old Mill") {
  openPage("/admin/sessions");
  const section = within(await screen.findByRole("region", { name: "Start New Session" }));
  return within(await section.findByRole("article", { name }));
}
