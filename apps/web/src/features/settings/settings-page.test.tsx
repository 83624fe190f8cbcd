import { changeAdminPassword, health } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { problemOfPasswordChange } from "./password-rules.ts";

function settingsServer(): FakeServer {
  const server = new FakeServer(admin);
  const ok = { status: "ok", message: "" } as const;
  const mail = { status: "not_configured", message: "Invitations go to the outbox." } as const;
  server.answer(health, {
    status: "ok",
    database: ok,
    shopify: ok,
    sync: ok,
    mail,
    demo: true,
    version: "1.0.0",
  });
  return server;
}

async function change(current: string, next: string, confirmation: string) {
  await userEvent.type(await screen.findByLabelText("Current Password"), current);
  await userEvent.type(screen.getByLabelText("New Password"), next);
  await userEvent.type(screen.getByLabelText("Confirm New Password"), confirmation);
  await userEvent.click(screen.getByRole("button", { name: "Change Password" }));
}

describe("changing the administrator's password", () => {
  it.each([
    [{ current: "", next: "abcdef", confirmation: "abcdef" }, "All fields are required"],
    [{ current: "old", next: "abcdef", confirmation: "abcdeg" }, "New passwords do not match"],
    [{ current: "old", next: "abc", confirmation: "abc" }, "New password must be at least 6 characters long"],
    [{ current: "old", next: "abcdef", confirmation: "abcdef" }, null],
  ])("%o: %s", (entry, problem) => {
    expect(problemOfPasswordChange(entry)).toBe(problem);
  });

  it("says that it was changed and empties the fields", async () => {
    const sent = settingsServer().answer(changeAdminPassword, { success: true });
    openPage("/admin/settings");
    await change("old-secret", "new-secret", "new-secret");
    await screen.findByText("Admin password changed successfully!");
    expect(sent[0]?.body).toEqual({ currentPassword: "old-secret", newPassword: "new-secret" });
    expect(screen.getByLabelText("New Password")).toHaveProperty("value", "");
  });

  it("shows the server's refusal and keeps what was typed", async () => {
    settingsServer().refuse(changeAdminPassword, "VALIDATION", "The current password is wrong.");
    openPage("/admin/settings");
    await change("guess", "new-secret", "new-secret");
    await screen.findByText("The current password is wrong.");
    expect(screen.getByLabelText("Current Password")).toHaveProperty("value", "guess");
  });
});

describe("the system's health", () => {
  it("names each part, and says when the shop is a stand-in", async () => {
    settingsServer();
    openPage("/admin/settings");
    await screen.findByText("Demonstration");
    screen.getByText("Not configured");
    expect(screen.getAllByText("Working")).toHaveLength(3);
  });
});
