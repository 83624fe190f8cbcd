import { acceptInvitation, readInvitation } from "@stocktake/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { counter } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

describe("accepting an invitation", () => {
  const forAcceptance = {
    _id: "invitation-1",
    counterName: "Mia",
    email: "mia@example.com",
    createdAt: "2026-03-01T08:05:00.000Z",
    usedAt: null,
    store: { _id: "store-1", name: "Harbour Street" },
    session: { _id: "session-1", startedAt: "2026-03-01T08:00:00.000Z" },
  };

  it("shows whose it is and what happens next", async () => {
    new FakeServer().answer(readInvitation, { invitation: forAcceptance });
    openPage("/counter/invite/some-token");
    await screen.findByRole("heading", { name: "Stock Count Invitation" });
    screen.getByText("Welcome, Mia!");
    screen.getByText("All store areas and locations");
    screen.getByText("What happens next?");
    screen.getByText("You get full store access for counting: every location and area");
    expect(screen.getAllByRole("listitem")).toHaveLength(4);
  });

  it("one that was read stays while the server can't be reached, until it says that it is over", async () => {
    const server = new FakeServer();
    server.answer(readInvitation, { invitation: forAcceptance });
    const { client } = openPage("/counter/invite/some-token");
    await screen.findByText("Welcome, Mia!");
    server.loseNetwork(readInvitation);
    await client.invalidateQueries();
    // What is drawn from an answer is drawn a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    screen.getByText("Welcome, Mia!");
    server.refuse(readInvitation, "NOT_FOUND", "Invalid or expired invitation");
    await client.invalidateQueries();
    await screen.findByRole("heading", { name: "Invalid Invitation" });
  });

  it("an invalid one shows the server's sentence and two ways on, without leaving the page", async () => {
    new FakeServer().refuse(readInvitation, "NOT_FOUND", "Invalid or expired invitation");
    const page = openPage("/counter/invite/gone");
    await screen.findByRole("heading", { name: "Invalid Invitation" });
    screen.getByText("Invalid or expired invitation");
    screen.getByRole("button", { name: "Try Again" });
    screen.getByRole("link", { name: "Go to Login" });
    expect(page.path()).toBe("/counter/invite/gone");
  });

  it("accepting signs the counter in and leads to the counter dashboard", async () => {
    const server = new FakeServer();
    server.answer(readInvitation, { invitation: forAcceptance });
    const sent = server.signIn(acceptInvitation, {
      user: counter,
      invitationData: { storeId: "store-1", locationId: null },
    });
    const page = openPage("/counter/invite/some-token");
    await userEvent.click(await screen.findByRole("button", { name: "Start Counting" }));
    await waitFor(() => expect(sent[0]?.path).toBe("/api/auth/invite/some-token/accept"));
    expect(sent[0]?.body).toBeUndefined();
    await waitFor(() => expect(page.path()).toBe("/counter"));
  });

  it("a refused acceptance is shown and can be tried again", async () => {
    const server = new FakeServer();
    server.answer(readInvitation, { invitation: forAcceptance });
    server.answerRaw(acceptInvitation, 502, "");
    openPage("/counter/invite/some-token");
    await userEvent.click(await screen.findByRole("button", { name: "Start Counting" }));
    await screen.findByText("Failed to accept invitation");
    screen.getByRole("button", { name: "Start Counting" });
  });
});
