import {
  type CallAnswer,
  type CountingSession,
  listAreas,
  listSessions,
  listStores,
  previewRelease,
  releaseSession,
  scanActivity,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, session } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";

type Preview = CallAnswer<typeof previewRelease>;

function preview(changes: Partial<Preview> = {}): Preview {
  return {
    ...{
      backupMadeAt: "2026-03-01T13:00:00.000Z",
      restoredAt: "2026-03-02T07:00:00.000Z",
      question: "deploy",
    },
    ...{ total: 30, checked: 30, moved: 0, notMoved: 30, unknown: 0, uncounted: { total: 5, moved: 0 } },
    ...{ verdict: "none", rows: [], movedSkus: [], readAt: "2026-03-02T08:00:00.000Z" },
    ...changes,
  };
}

const nothing = preview({ question: "nothing", total: 0, checked: 0, notMoved: 0 });

/** A server with these restored sessions, each of which looks so; what is released is not held back any more. */
function restoredServer(looks: Record<string, Preview>, more: readonly CountingSession[] = []) {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [] });
  server.answer(listAreas, { areas: [] });
  server.answer(scanActivity, { begun: false, since: "2026-03-01T11:00:00.000Z", hours: [] });
  const released: { id: string; body: unknown }[] = [];
  const idOf = (path: string) => path.split("/").at(-2) ?? "";
  server.answer(listSessions, () => ({
    sessions: [
      ...Object.keys(looks)
        .filter((id) => !released.some((one) => one.id === id))
        .map((_id) => session({ _id, storeId: { _id, name: `Store ${_id}` }, restored: true })),
      ...more,
    ],
  }));
  const asked = server.answer(previewRelease, ({ path }) => looks[idOf(path)] ?? nothing);
  server.answer(releaseSession, ({ path, body }) => {
    released.push({ id: idOf(path), body });
    return { session: session({ restored: false }) };
  });
  return { server, released, asked };
}

async function review() {
  openPage("/admin");
  await userEvent.click(await screen.findByRole("button", { name: "Review Sessions" }));
  return within(await screen.findByRole("dialog", { name: "Sessions from the backup" }));
}

describe("the sessions that a restore holds back", () => {
  it("are told of on the dashboard until each is released", async () => {
    restoredServer({ a: nothing }, [session({ _id: "x", restored: false })]);
    openPage("/admin");
    await screen.findByText("Restored from a backup");
    screen.getByText(/Deploy and Rollback are off for 1 session until/);
  });

  it("of which nothing looks moved are released together, by one button with the figures of all", async () => {
    const some = preview({ verdict: "some", moved: 3, notMoved: 27, movedSkus: ["A", "B", "C"] });
    const { released } = restoredServer({ quiet: preview(), deployed: some, empty: nothing });
    const dialog = await review();
    await dialog.findByText("2 sessions look as if nothing was moved since the backup");
    dialog.getByText("30 SKUs were compared: of each Shopify has what it had at the backup.");
    expect(released).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Release 2 Sessions" }));
    await dialog.findByText("2 sessions were released. Nothing was sent to Shopify.");
    expect(released).toEqual([
      { id: "quiet", body: {} },
      { id: "empty", body: {} },
    ]);
    const table = within(dialog.getByRole("table", { name: "Sessions that wait for their release" }));
    expect(table.getAllByRole("row")).toHaveLength(2);
    table.getByText("Some of it looks deployed already");
    table.getByText(/^Backup made Mar 1, 2026/);
    table.getByText("3 moved, 27 not moved, 0 unknown");
  });

  it.each([
    ["was under way in the backup", preview({ question: "rest" })],
    ["was not compared whole", preview({ checked: 29, notMoved: 29, verdict: "unclear", unknown: 0 })],
    ["nobody counted looks set to zero", preview({ uncounted: { total: 5, moved: 5 } })],
    ["looks moved", preview({ verdict: "all", moved: 30, notMoved: 0 })],
    ["can't be told", preview({ verdict: "unclear", unknown: 1, notMoved: 29 })],
  ])("of which something %s wait for their own dialog", async (_what, look) => {
    restoredServer({ a: look });
    const dialog = await review();
    const open = await dialog.findByRole("button", { name: /^Compare and Release: Store a/ });
    await waitFor(() => expect(dialog.queryByText(/^Comparing/)).toBeNull());
    expect(dialog.queryByRole("button", { name: /^Release \d/ })).toBeNull();
    await userEvent.click(open);
    await screen.findByRole("dialog", { name: "Release this session?" });
  });

  it("are gone through one by one: after each the list is there again, with what was done", async () => {
    const { released } = restoredServer({
      a: preview({ question: "rest" }),
      b: preview({ question: "rest" }),
    });
    const dialog = await review();
    await userEvent.click(await dialog.findByRole("button", { name: /^Compare and Release: Store a/ }));
    const one = within(await screen.findByRole("dialog", { name: "Release this session?" }));
    await userEvent.click(await one.findByLabelText(/^Nothing/));
    await userEvent.click(one.getByRole("button", { name: "Release" }));
    const again = within(await screen.findByRole("dialog", { name: "Sessions from the backup" }));
    await again.findByText(/The session was released/);
    expect(released.map(({ id }) => id)).toEqual(["a"]);
    again.getByRole("button", { name: /^Compare and Release: Store b/ });
  });

  it("that could not be compared are not released, and compared again on request", async () => {
    const { server } = restoredServer({ a: preview() });
    server.refuse(previewRelease, "PLATFORM_UNAVAILABLE", "Shopify is not available just now.");
    const dialog = await review();
    await dialog.findByText("1 session could not be compared");
    expect(dialog.queryByRole("button", { name: /^Release \d/ })).toBeNull();
    server.answer(previewRelease, preview());
    await userEvent.click(dialog.getByRole("button", { name: "Try Again" }));
    await dialog.findByRole("button", { name: "Release 1 Session" });
  });

  it("that still count are named, and neither compared nor released", async () => {
    const running = session({
      _id: "r",
      status: "active",
      restored: true,
      storeId: { _id: "r", name: "Harbour" },
    });
    const { asked } = restoredServer({}, [running]);
    const dialog = await review();
    dialog.getByText("Still counting");
    dialog.getByText("End it first.");
    expect(dialog.queryByRole("button", { name: /Release/ })).toBeNull();
    expect(asked).toEqual([]);
  });

  it("end at the first that the server refuses, with its sentence, and the rest still waits", async () => {
    const { server } = restoredServer({ a: preview() });
    server.refuse(releaseSession, "SESSION_ENDING", "This session is being ended.");
    const dialog = await review();
    await userEvent.click(await dialog.findByRole("button", { name: "Release 1 Session" }));
    await dialog.findByText(/This session is being ended/);
    dialog.getByRole("button", { name: "Release 1 Session" });
  });
});
