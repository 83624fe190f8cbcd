import { listAreas, listSessions, listStores } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { admin } from "../testing/examples.ts";
import { FakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.tsx";

it("the menu closes on Escape with the focus on its button, and on a press elsewhere", async () => {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [] });
  server.answer(listAreas, { areas: [] });
  server.answer(listSessions, { sessions: [] });
  openPage("/admin");
  const button = await screen.findByRole("button", { name: "Open menu" });
  await userEvent.click(button);
  expect(button.getAttribute("aria-expanded")).toBe("true");
  await userEvent.keyboard("{Escape}");
  expect(button.getAttribute("aria-expanded")).toBe("false");
  expect(document.activeElement).toBe(button);
  await userEvent.click(button);
  await userEvent.click(screen.getByRole("main"));
  expect(button.getAttribute("aria-expanded")).toBe("false");
});
