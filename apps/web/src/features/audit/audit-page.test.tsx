import { type AuditEntry, exportAudit, listAudit, listSessions } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { admin, session } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const hash = "ab12".repeat(16);

function entry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    _id: "12",
    sessionId: session()._id,
    position: 7,
    at: "2026-03-01T09:30:15.250Z",
    actor: { kind: "admin", _id: "user-admin", name: "admin" },
    action: "count.adjusted",
    subject: { kind: "product", _id: "TEE-S", name: "Tee (TEE-S)" },
    before: { count: 4 },
    after: { count: 6, reason: "recount" },
    previousHash: "cd34".repeat(16),
    hash,
    ...changes,
  };
}

function auditServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [session()] });
  return server;
}

describe("the audit log", () => {
  it("shows each entry in a sentence, with the session's store, its position in the chain and its hash", async () => {
    auditServer().answer(listAudit, {
      entries: [entry(), entry({ _id: "11", sessionId: null, action: "made.up", position: 1 })],
      next: null,
    });
    openPage("/admin/audit");
    const entries = within(await screen.findByRole("list", { name: "Entries" })).getAllByRole("listitem");
    expect(entries[0]?.textContent).toContain("admin changed the count of Tee (TEE-S) from 4 to 6: recount");
    await waitFor(() => expect(entries[0]?.textContent).toContain("Harbour Street"));
    expect(entries[0]?.textContent).toContain("Entry 7");
    expect(entries[0]?.textContent).toContain("ab12ab12ab12…");
    expect(entries[1]?.textContent).toContain("admin made.up Tee (TEE-S)No session");
    expect(screen.queryByRole("button", { name: "Load More" })).toBeNull();
  });

  it("shows what was before and after, and both hashes, when the details are opened", async () => {
    auditServer().answer(listAudit, { entries: [entry()], next: null });
    openPage("/admin/audit");
    const item = within(await screen.findByRole("list", { name: "Entries" })).getByRole("listitem");
    expect(item.textContent).not.toContain("Reason");
    await userEvent.click(within(item).getByText("Details"));
    await waitFor(() => expect(item.textContent).toContain("BeforeCount4AfterCount6Reasonrecount"));
    expect(item.textContent).toContain(hash);
    expect(item.textContent).toContain("cd34".repeat(16));
  });

  it("copies the whole hash", async () => {
    auditServer().answer(listAudit, { entries: [entry()], next: null });
    const user = userEvent.setup();
    openPage("/admin/audit");
    await user.click(await screen.findByRole("button", { name: `Copy hash ${hash}` }));
    expect(await navigator.clipboard.readText()).toBe(hash);
    await screen.findByText("Copied");
  });

  it("loads the entries before these on demand, until there are none", async () => {
    const sent = auditServer().answer(listAudit, ({ query }) =>
      query.cursor === undefined
        ? { entries: [entry()], next: "12" }
        : { entries: [entry({ _id: "5", position: 2 })], next: null },
    );
    openPage("/admin/audit");
    await userEvent.click(await screen.findByRole("button", { name: "Load More" }));
    await screen.findByText("Entry 2");
    screen.getByText("Entry 7");
    expect(sent.map(({ query }) => query)).toEqual([{ limit: "50" }, { limit: "50", cursor: "12" }]);
    expect(screen.queryByRole("button", { name: "Load More" })).toBeNull();
  });

  it("requests what the filter selects, which is in the address, and everything when it is cleared", async () => {
    const sent = auditServer().answer(listAudit, { entries: [], next: null });
    const page = openPage("/admin/audit");
    await screen.findByText("No Entries");
    await screen.findByRole("option", { name: /^Harbour Street/ });
    await userEvent.selectOptions(screen.getByLabelText("Session"), session()._id);
    await userEvent.selectOptions(screen.getByLabelText("Action"), "Count adjusted");
    await userEvent.type(screen.getByLabelText("Done By"), "ada{Enter}");
    await userEvent.type(screen.getByLabelText("From"), "2026-03-01");
    await userEvent.type(screen.getByLabelText("To"), "2026-03-02");
    await screen.findByText("No matches");
    await waitFor(() =>
      expect(sent.at(-1)?.query).toEqual({
        limit: "50",
        sessionId: session()._id,
        action: "count.adjusted",
        actor: "ada",
        from: new Date(2026, 2, 1).toISOString(),
        to: new Date(2026, 2, 3).toISOString(),
      }),
    );
    expect(page.address()).toBe(
      `/admin/audit?session=${session()._id}&action=count.adjusted&actor=ada&from=2026-03-01&to=2026-03-02`,
    );
    await userEvent.click(screen.getByRole("button", { name: "Clear Filter" }));
    await screen.findByText("No Entries");
    expect(page.address()).toBe("/admin/audit");
    expect(screen.getByLabelText("Done By")).toHaveProperty("value", "");
  });

  it("opened by a link to a session shows that session's entries", async () => {
    const sent = auditServer().answer(listAudit, { entries: [entry()], next: null });
    openPage(`/admin/audit?session=${session()._id}`);
    await screen.findByText("Entry 7");
    expect(sent[0]?.query).toEqual({ limit: "50", sessionId: session()._id });
    expect(screen.getByLabelText("Session")).toHaveProperty("value", session()._id);
  });

  it("that can't be fetched shows an error and tries again on request", async () => {
    const server = auditServer();
    server.refuse(listAudit, "INTERNAL", "");
    openPage("/admin/audit");
    await screen.findByText("Failed to fetch the audit log");
    server.answer(listAudit, { entries: [entry()], next: null });
    await userEvent.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByText("Entry 7");
  });

  it("is exported as it is filtered", async () => {
    const server = auditServer();
    server.answer(listAudit, { entries: [entry()], next: null });
    const sent = server.answer(exportAudit, undefined);
    const names: string[] = [];
    vi.stubGlobal(
      "URL",
      Object.assign(URL, { createObjectURL: () => "blob:log", revokeObjectURL: () => undefined }),
    );
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    openPage("/admin/audit?action=count.adjusted");
    await userEvent.click(await screen.findByRole("button", { name: "Export CSV" }));
    await waitFor(() => expect(names).toEqual(["audit-log.csv"]));
    expect(sent[0]?.query).toEqual({ action: "count.adjusted" });
  });
});

it("the settings lead to the audit log", async () => {
  const server = auditServer();
  server.answer(listAudit, { entries: [], next: null });
  const page = openPage("/admin/settings");
  await userEvent.click(await screen.findByRole("link", { name: "Open Audit Log" }));
  await screen.findByRole("heading", { name: "Audit Log", level: 1 });
  expect(page.path()).toBe("/admin/audit");
});
