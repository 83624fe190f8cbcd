import { dismissNotice, type GuessingNotice, listNotices } from "@stocktake/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openPage } from "../../testing/open-page.tsx";
import { shopFloorServer } from "../../testing/shop-floor.ts";
import { dateTimeText } from "../../ui/formats.ts";

const now = new Date().toISOString();
const notice: GuessingNotice = {
  _id: "notice-1",
  login: "admin",
  wrongPasswords: 1_214,
  addresses: 300,
  beganAt: "2026-03-01T09:30:00.000Z",
  lastAt: now,
};

it("the dashboard says who is guessed at, how much and since when, until it is put away", async () => {
  const server = shopFloorServer();
  server.answer(listNotices, { notices: [notice] });
  openPage("/admin");
  await screen.findByText("Somebody is guessing passwords");
  screen.getByText(
    `1,214 wrong passwords from 300 addresses for the administrator's password, from ${dateTimeText(notice.beganAt)} to ${dateTimeText(now)}.`,
  );
  expect(screen.getByRole("link", { name: "Open Settings" }).getAttribute("href")).toBe("/admin/settings");
  const sent = server.answer(dismissNotice, { success: true });
  server.answer(listNotices, { notices: [] });
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByText("Somebody is guessing passwords")).toBeNull());
  expect(sent).toMatchObject([{ path: "/api/notices/notice-1/dismiss" }]);
});

it.each([
  [
    "passwords in a known browser",
    { knownBrowser: true, wrongPasswords: 21, addresses: 0 },
    "Somebody is guessing passwords in a known browser",
    "21 wrong passwords for the administrator's password, in a browser in which somebody has signed in before, from",
  ],
  [
    "second factors",
    { login: "second_factor", wrongPasswords: 11, addresses: 1 },
    "Somebody is guessing second factors",
    "11 wrong ones from 1 address for the administrator's second factor, after the right password or where one is asked for again, from",
  ],
] as const)("guessing at %s has a sentence of its own", async (_what, changed, title, text) => {
  const server = shopFloorServer();
  server.answer(listNotices, { notices: [{ ...notice, ...changed }] });
  openPage("/admin");
  await screen.findByText(title);
  screen.getByText((shown) => shown.startsWith(text));
});

it("guessing that is over is told in the past, and a warning that could not be put away stays", async () => {
  const server = shopFloorServer();
  server.answer(listNotices, { notices: [{ ...notice, login: "counter", lastAt: notice.beganAt }] });
  server.refuse(dismissNotice, "INTERNAL", "Something went wrong on the server.");
  openPage("/admin");
  await screen.findByText("Somebody guessed at passwords");
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  await screen.findByText("Something went wrong on the server.");
  screen.getByText("Somebody guessed at passwords");
});
