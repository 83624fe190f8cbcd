import { listNotices, type WorkNotice } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { queryRoots } from "../../http/query-roots.ts";
import { openPage } from "../../testing/open-page.tsx";
import { shopFloorServer } from "../../testing/shop-floor.ts";

afterEach(() => localStorage.removeItem("seenDeploys"));

function notice(changes: Partial<WorkNotice> = {}): WorkNotice {
  return {
    ...{ kind: "recounts", sessionId: "session-1", adjustmentId: null, storeName: "Harbour Street" },
    ...{ sessionName: "Spring count", count: 4, names: ["A1", "A2", "A3"], at: null },
    ...changes,
  };
}

const at = "2026-03-01T09:30:00.000Z";
const every: readonly WorkNotice[] = [
  notice(),
  notice({ kind: "silent_devices", count: 1, names: ["Mia"], at }),
  notice({ kind: "unheard_devices", count: 2, names: ["Ann", "Tom"], at }),
  notice({ kind: "join_requests", count: 1, names: ["Joe"], at }),
  notice({ kind: "not_invited", count: 1, names: ["Tom"] }),
  notice({ kind: "counted_by_others", count: 1, names: ["A1"] }),
  notice({ kind: "exceptions", count: 2, names: [], sessionName: null }),
  notice({ kind: "deploy_partial", adjustmentId: "a1", names: [], at }),
  notice({ kind: "deploy_partial", adjustmentId: "a4", isRollback: true, names: [], at }),
  notice({ kind: "deploy_failed", adjustmentId: "a2", names: [], at }),
  notice({ kind: "deploy_done", adjustmentId: "a3", count: 1, names: [], at }),
];

async function openInbox(name: string | RegExp) {
  await userEvent.click(await screen.findByRole("button", { name }));
  return within(await screen.findByRole("dialog", { name: "Waiting for You" }));
}

it("every page says how much waits, what it is, and leads to where it is worked off", async () => {
  shopFloorServer().answer(listNotices, { notices: [], work: [...every] });
  openPage("/admin");
  const inbox = await openInbox("Notices, 11 waiting");
  const links = inbox.getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/admin/sessions",
    "/admin/sessions",
    "/admin/sessions",
    "/admin/sessions/session-1/code",
    "/admin/sessions",
    "/admin/sessions",
    "/admin/sessions/session-1/exceptions",
    ...["a1", "a4", "a2", "a3"].map(() => "/admin/reports?session=session-1&tab=history"),
  ]);
  inbox.getByText("4 areas are to be counted again: A1, A2, A3 …");
  inbox.getByText(/^1 device has not sent everything, and has not been heard of since Mar 1, 2026.*: Mia$/);
  inbox.getByText(
    /^2 devices are in an area that is not finished, and have not been heard of since Mar 1, 2026.*: Ann, Tom\./,
  );
  inbox.getByText(/^1 person has asked to count and waits to be admitted, since Mar 1, 2026.*: Joe$/);
  inbox.getByText(
    "1 person of the plan could not be invited, and it is not tried any more: Tom. Invite Counters of that session says why, and sends an invitation by hand.",
  );
  inbox.getByText("1 area was counted in by somebody it is not assigned to: A1. Their scans count.");
  inbox.getByText("2 scans need a decision");
  inbox.getByRole("link", { name: /^Deploy partly done ?Some rows could not be moved, or nobody/ });
  inbox.getByRole("link", { name: /^Rollback partly done ?Some rows could not be moved back, or nobody/ });
  inbox.getByText(/^1 product was moved in Shopify, Mar 1, 2026/);
  expect(inbox.getAllByText("Harbour Street – Spring count")).toHaveLength(10);
});

it("what is done is gone by itself, and then nothing waits", async () => {
  const server = shopFloorServer();
  server.answer(listNotices, { notices: [], work: [notice()] });
  const { client } = openPage("/admin");
  const inbox = await openInbox("Notices, 1 waiting");
  server.answer(listNotices, { notices: [], work: [] });
  await client.invalidateQueries({ queryKey: [queryRoots.notices] });
  await inbox.findByText("Nothing waits for you.");
  await screen.findByRole("button", { name: "Notices, none waiting" });
});

it("a deploy that is done is told of until it was opened; work stays until it is done", async () => {
  shopFloorServer().answer(listNotices, { notices: [], work: [...every] });
  openPage("/admin");
  const inbox = await openInbox("Notices, 11 waiting");
  await userEvent.click(inbox.getByRole("link", { name: /^Deploy done/ }));
  const again = await openInbox("Notices, 10 waiting");
  expect(again.queryByRole("link", { name: /^Deploy done/ })).toBeNull();
  await userEvent.click(again.getByRole("link", { name: /^Scans to decide/ }));
  await screen.findByRole("button", { name: "Notices, 10 waiting" });
});

it("what can't be read says so in the inbox", async () => {
  shopFloorServer().refuse(listNotices, "INTERNAL", "Something went wrong on the server.");
  openPage("/admin");
  const inbox = await openInbox("Notices, none waiting");
  await inbox.findByText("Something went wrong on the server.");
});
