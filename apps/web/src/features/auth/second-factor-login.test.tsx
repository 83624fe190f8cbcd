import { adminLogin, finishAdminLogin } from "@stocktake/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { admin } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const secondFactor = {
  challenge: "challenge-1",
  methods: ["code", "passkey", "recovery_code"],
  expiresAt: "2026-03-01T08:05:00.000Z",
};
let server: FakeServer;
let page: ReturnType<typeof openPage>;

beforeEach(async () => {
  server = new FakeServer();
  const body = { error: "Show your second factor.", code: "SECOND_FACTOR_REQUIRED", secondFactor };
  server.answerWith(adminLogin, () => Response.json(body, { status: 401 }));
  page = openPage("/login");
  await userEvent.type(await screen.findByLabelText("Password"), "right");
  await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
  await screen.findByRole("heading", { name: "Second Factor" });
});

describe("a login with a second factor", () => {
  it("asks for the app's code and signs in with it", async () => {
    const sent = server.answer(finishAdminLogin, { user: admin });
    await userEvent.type(screen.getByLabelText("Code of the authenticator app"), "123 456");
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await waitFor(() => expect(page.path()).toBe("/admin"));
    expect(sent[0]?.body).toEqual({ challenge: "challenge-1", factor: { method: "code", code: "123 456" } });
  });

  it("offers a recovery code instead, and no passkey where the browser takes none", async () => {
    const sent = server.refuse(
      finishAdminLogin,
      "UNAUTHENTICATED",
      "The code is wrong, or was used already.",
    );
    const choice = screen.getByLabelText("Confirm with");
    expect([...choice.querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual([
      "Code of the authenticator app",
      "Recovery code",
    ]);
    await userEvent.selectOptions(choice, "Recovery code");
    await userEvent.type(screen.getByLabelText("Recovery code"), "aaaa-bbbb-cccc-dddd");
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await screen.findByText("The code is wrong, or was used already.");
    expect(sent[0]?.body).toMatchObject({ factor: { method: "recovery_code", code: "aaaa-bbbb-cccc-dddd" } });
  });

  it("that took too long goes back to the password and says why", async () => {
    server.refuse(finishAdminLogin, "CHALLENGE_OVER", "That took too long. Enter the password again.");
    await userEvent.type(screen.getByLabelText("Code of the authenticator app"), "123456");
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await screen.findByText("That took too long. Enter the password again.");
    screen.getByRole("heading", { name: "Administrator Login" });
  });

  it("goes back to the password on demand", async () => {
    await userEvent.click(screen.getByRole("button", { name: "Back to the password" }));
    await screen.findByRole("heading", { name: "Administrator Login" });
  });
});
