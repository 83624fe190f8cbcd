import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { RouteObject } from "react-router";
import { expect, it } from "vitest";
import { help as areas, labelsHelp } from "../features/areas/help.ts";
import { help as audit } from "../features/audit/help.ts";
import { help as coverage } from "../features/certificates/help.ts";
import { help as dashboard } from "../features/dashboard/help.ts";
import { help as sessionCode } from "../features/invitations/session-code/help.ts";
import { help as packs } from "../features/packs/help.ts";
import { help as files } from "../features/paper/help.ts";
import { printHelp, help as sheets } from "../features/paper/sheets/help.ts";
import { help as exceptions } from "../features/reports/exceptions/help.ts";
import { help as reports } from "../features/reports/help.ts";
import { help as searches } from "../features/searches/help.ts";
import { countAgainHelp, help as secondCounts } from "../features/second-counts/help.ts";
import { help as sessions } from "../features/sessions/help.ts";
import { sessionsServer } from "../features/sessions/testing/sessions-server.ts";
import { help as settings } from "../features/settings/help.ts";
import { help as stores } from "../features/stores/help.ts";
import { help as users } from "../features/users/help.ts";
import { openPage } from "../testing/open-page.tsx";
import { terms } from "../ui/help/terms.ts";
import { routes } from "./routes.tsx";

/** The addresses of all pages below one of the routes, with something in the place of each parameter. */
function pathsIn({ path, children = [] }: RouteObject): string[] {
  const own = path === undefined ? [] : [path.replaceAll(/:\w+/g, "1")];
  return [...own, ...children.flatMap(pathsIn)];
}

const adminPaths = routes.flatMap(pathsIn).filter((path) => path.startsWith("/admin"));

it.each(adminPaths)(
  "%s has a ? that says in a few words what it is for and what comes next",
  async (path) => {
    sessionsServer();
    openPage(path);
    await userEvent.click(await screen.findByRole("button", { name: /^Help: / }));
    const dialog = await screen.findByRole("dialog", { name: /^Help: / });
    within(dialog).getByRole("heading", { name: "Next" });
    expect(within(dialog).getAllByRole("term").length).toBeGreaterThan(0);
    // Whoever opens it is in a shop: it fits a phone's screen or two.
    expect(dialog.textContent?.split(/\s+/).length).toBeLessThan(400);
  },
);

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
  const ofSessions = [sessions, sessionCode, exceptions, secondCounts, countAgainHelp, searches, coverage];
  const onPaper = [files, sheets, printHelp, labelsHelp];
  const pages = [areas, audit, dashboard, packs, reports, settings, stores, users, ...ofSessions, ...onPaper];
  const explained = new Set(pages.flatMap((page) => page.terms));
  expect([...explained].toSorted()).toEqual(Object.keys(terms).toSorted());
});
