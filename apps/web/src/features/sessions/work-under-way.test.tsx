import { listOperations, listSessions, readOperation } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { active, openStart, operation, sessionsServer } from "./testing/sessions-server.ts";

describe("long work that another page has begun, or this one before a reload", () => {
  it("on a store's start is followed on its card, until the session is listed", async () => {
    const server = sessionsServer();
    server.answer(listOperations, { operations: [operation()] });
    server.answer(readOperation, { operation: operation() });
    const card = await openStart();
    await card.findByText(/Starting Session... 40 of 100/);
    expect(card.getByRole("button", { name: "Starting Session..." })).toHaveProperty("disabled", true);
    const started = session({
      _id: "session-9",
      storeId: { _id: "store-2", name: "Old Mill" },
      status: "active",
      endedAt: null,
    });
    server.answer(listOperations, { operations: [] });
    server.answer(listSessions, { sessions: [started, active] });
    server.answer(readOperation, { operation: operation({ status: "done", sessionId: "session-9" }) });
    const section = within(screen.getByRole("region", { name: "Active Sessions" }));
    await section.findByRole("article", { name: "Old Mill" });
  });

  it("that fails shows why on the card, and can be started again", async () => {
    const server = sessionsServer();
    server.answer(listOperations, { operations: [operation()] });
    server.answer(readOperation, { operation: operation() });
    const card = await openStart();
    await card.findByText(/40 of 100/);
    const error = { error: "Shopify does not answer.", code: "PLATFORM_UNAVAILABLE" } as const;
    server.answer(listOperations, { operations: [] });
    server.answer(readOperation, { operation: operation({ status: "failed", error }) });
    await card.findByText("Shopify does not answer.");
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    await screen.findByRole("dialog", { name: "Start session?" });
    expect(screen.queryByText("Shopify does not answer.")).toBeNull();
  });

  it("on a session's end is followed on its card, which offers nothing else meanwhile", async () => {
    const server = sessionsServer();
    const end = operation({ kind: "end", storeId: "store-1", sessionId: active._id, done: 0, of: null });
    server.answer(listOperations, { operations: [end] });
    server.answer(readOperation, { operation: end });
    openPage("/admin/sessions");
    const card = within(await screen.findByRole("article", { name: "Harbour Street" }));
    await card.findByText("This continues if you leave the page.");
    for (const name of ["Invite Counters", "Ending Session...", "Previous counts"]) {
      expect(await card.findByRole("button", { name })).toHaveProperty("disabled", true);
    }
  });
});
