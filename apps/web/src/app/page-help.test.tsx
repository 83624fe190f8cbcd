import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { help as areas } from "../features/areas/help.ts";
import { help as audit } from "../features/audit/help.ts";
import { help as dashboard } from "../features/dashboard/help.ts";
import { help as packs } from "../features/packs/help.ts";
import { help as reports } from "../features/reports/help.ts";
import { help as sessions } from "../features/sessions/help.ts";
import { sessionsServer } from "../features/sessions/testing/sessions-server.ts";
import { help as settings } from "../features/settings/help.ts";
import { help as stores } from "../features/stores/help.ts";
import { help as users } from "../features/users/help.ts";
import { openPage } from "../testing/open-page.tsx";
import { terms } from "../ui/help/terms.ts";

it("the ? beside a page's heading says what the page is for, its words and what comes next, and gives the focus back", async () => {
  sessionsServer();
  openPage("/admin/sessions");
  const button = await screen.findByRole("button", { name: "Help: Sessions" });
  await userEvent.click(button);
  const dialog = within(await screen.findByRole("dialog", { name: "Help: Sessions" }));
  dialog.getByText(/Start a count, let people join it/);
  dialog.getByText("Natural movement", { selector: "dt" });
  dialog.getByText(/What was sold, returned or received while the session ran/);
  dialog.getByRole("heading", { name: "Next" });
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(button);
});

it("every word that is explained is explained on a page", () => {
  const pages = [areas, audit, dashboard, packs, reports, sessions, settings, stores, users];
  const explained = new Set(pages.flatMap((page) => page.terms));
  expect([...explained].toSorted()).toEqual(Object.keys(terms).toSorted());
});
