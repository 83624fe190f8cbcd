import {
  beginAuthenticator,
  chooseProof,
  confirmAuthenticator,
  giveProof,
  listLogins,
  readSecurity,
  removeAuthenticator,
  renewRecoveryCodes,
  type Security,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";

const none: Security = {
  passwordIsGenerated: false,
  authenticator: null,
  passkeys: [],
  passkeyProblem: "Passkeys need a host name, and this address is a number.",
  recoveryCodesLeft: 0,
  proofBeforeMoves: false,
  proofIsChosen: false,
  methods: [],
};
const withApp: Security = {
  ...none,
  authenticator: { addedAt: "2026-03-01T08:00:00.000Z" },
  recoveryCodesLeft: 10,
  proofBeforeMoves: true,
  methods: ["code", "recovery_code"],
};

async function open(security: Security) {
  const server = new FakeServer(admin);
  server.answer(listLogins, { logins: [] });
  server.answer(readSecurity, { security });
  const { client } = openPage("/admin/settings");
  const panel = within(await screen.findByRole("region", { name: "Second Factor" }));
  await panel.findByRole("combobox");
  return { server, panel, client };
}

const dialog = async () => within(await screen.findByRole("dialog"));
const press = async (scope: { findByRole: typeof screen.findByRole }, name: string) =>
  userEvent.click(await scope.findByRole("button", { name }));

describe("the second factor in the settings", () => {
  it("is none at first, and says why there can be no passkey instead of offering one", async () => {
    const { panel } = await open(none);
    panel.getByText("No second factor. The password alone signs in.");
    panel.getByText("Passkeys need a host name, and this address is a number.");
    expect(panel.queryByRole("button", { name: "Add Passkey" })).toBeNull();
  });

  it("keeps the app that is being set up on the page while the server can't be reached", async () => {
    const { server, panel, client } = await open(none);
    server.answer(beginAuthenticator, {
      secret: "GEZDGNBVGY3TQOJQ",
      address: "otpauth://totp/Stocktake:admin",
    });
    await press(panel, "Add Authenticator App");
    const code = await (await dialog()).findByRole("textbox");
    await userEvent.type(code, "12345");
    server.loseNetwork(readSecurity);
    await client.invalidateQueries();
    await panel.findByText("Failed to fetch what guards your account");
    expect(code).toHaveProperty("isConnected", true);
    expect(code).toHaveProperty("value", "12345");
  });

  it("offers no passkey where the browser itself has none", async () => {
    const { panel } = await open({ ...none, passkeyProblem: null });
    panel.getByText(/This browser takes passkeys only over https/);
    expect(panel.queryByRole("button", { name: "Add Passkey" })).toBeNull();
  });

  it("is an app once its code was right; then the recovery codes are shown, once", async () => {
    const { server, panel } = await open(none);
    server.answer(beginAuthenticator, {
      secret: "GEZDGNBVGY3TQOJQ",
      address: "otpauth://totp/Stocktake:admin",
    });
    const sent = server.refuse(
      confirmAuthenticator,
      "VALIDATION",
      "This is not the code that the app shows now.",
    );
    await press(panel, "Add Authenticator App");
    const adding = await dialog();
    await adding.findByText("GEZD GNBV GY3T QOJQ");
    adding.getByRole("img", { name: "QR code for the authenticator app" });
    await userEvent.type(adding.getByLabelText("Code that the app shows"), "123456");
    await press(adding, "Add App");
    await adding.findByText("This is not the code that the app shows now.");
    expect(sent[0]?.body).toEqual({ code: "123456" });

    server.answer(confirmAuthenticator, { security: withApp, recoveryCodes: ["aaaa-bbbb-cccc-dddd"] });
    server.answer(readSecurity, { security: withApp });
    await press(adding, "Add App");
    const codes = within(await screen.findByRole("dialog", { name: "Your recovery codes" }));
    codes.getByText("aaaa-bbbb-cccc-dddd");
    // They are shown this once: no stray key or click takes them away.
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Save as File"));
    await userEvent.keyboard("{Escape}");
    const overlay = document.querySelector(".mantine-Modal-overlay");
    if (overlay === null) throw new Error("The dialog covers the page.");
    await userEvent.click(overlay);
    expect(codes.queryByRole("button", { name: "Close" })).toBeNull();
    codes.getByText("aaaa-bbbb-cccc-dddd");
    await press(codes, "I Have Kept Them");
    await panel.findByText("10 recovery codes left");
    expect(screen.queryByText("aaaa-bbbb-cccc-dddd")).toBeNull();
  });

  it("is removed after a question that says what the last one takes with it", async () => {
    const { server, panel } = await open(withApp);
    const sent = server.answer(removeAuthenticator, { success: true });
    await press(panel, "Remove Authenticator app");
    const question = await dialog();
    question.getByText(/It is the last second factor/);
    server.answer(readSecurity, { security: none });
    await press(question, "Remove");
    await panel.findByText("No second factor. The password alone signs in.");
    expect(sent).toHaveLength(1);
  });

  it("has its recovery codes renewed", async () => {
    const { server, panel } = await open(withApp);
    server.answer(renewRecoveryCodes, { recoveryCodes: ["eeee-ffff-gggg-hhhh"] });
    await press(panel, "New Codes for Recovery");
    await press(await dialog(), "Make New Codes");
    await screen.findByText("eeee-ffff-gggg-hhhh");
  });

  it("that can't be read says so", async () => {
    const server = new FakeServer(admin);
    server.refuse(readSecurity, "FORBIDDEN", "");
    openPage("/admin/settings");
    await within(await screen.findByRole("region", { name: "Second Factor" })).findByText(
      "Failed to fetch what guards your account",
    );
  });
});

describe("the choice to be asked before a deploy", () => {
  it("asks for a proof where the last one is too old, and goes on once it was given", async () => {
    const { server, panel } = await open(withApp);
    const refused = server.refuse(chooseProof, "REAUTHENTICATION_REQUIRED", "Confirm that it is you.");
    await userEvent.selectOptions(panel.getByRole("combobox"), "Never");
    const question = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
    const given = server.refuse(giveProof, "VALIDATION", "The password is wrong.");
    await userEvent.type(question.getByLabelText("Password"), "wrong");
    await press(question, "Confirm");
    await question.findByText("The password is wrong.");

    const chosen = { ...withApp, proofBeforeMoves: false, proofIsChosen: true };
    const proved = server.answer(giveProof, { provedUntil: "2026-03-01T08:10:00.000Z" });
    const sent = server.answer(chooseProof, { security: chosen });
    server.answer(readSecurity, { security: chosen });
    await userEvent.selectOptions(question.getByLabelText("Confirm with"), "Code of the authenticator app");
    await userEvent.type(question.getByLabelText("Code of the authenticator app"), "123456");
    await press(question, "Confirm");
    await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ proofBeforeMoves: false }]));
    expect(refused).toHaveLength(1);
    expect([given[0]?.body, proved[0]?.body]).toEqual([
      { method: "password", password: "wrong" },
      { method: "code", code: "123456" },
    ]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(panel.getByRole("combobox")).toHaveProperty("value", "never"));
  });

  it("stays as it was, and says so as no error, where the person does not answer", async () => {
    const { server, panel } = await open(withApp);
    server.refuse(chooseProof, "REAUTHENTICATION_REQUIRED", "Confirm that it is you first.");
    await userEvent.selectOptions(panel.getByRole("combobox"), "Never");
    await press(await dialog(), "Cancel");
    await panel.findByText("Not done: you did not confirm that it is you.");
    expect(panel.queryByRole("alert")).toBeNull();
    expect(panel.getByRole("combobox")).toHaveProperty("value", "auto");
  });
});

describe("a first password that the server made up", () => {
  it("is told of on every page until it is changed", async () => {
    const server = new FakeServer(admin);
    server.answer(readSecurity, { security: { ...none, passwordIsGenerated: true } });
    openPage("/admin/users");
    const notice = await screen.findByText("The first password is still in use");
    // Nobody signs it on a printed report.
    expect(notice.closest(".screen-only")).not.toBeNull();
    const link = screen.getByRole("link", { name: "Change Password" });
    expect(link.getAttribute("href")).toBe("/admin/settings");
  });
});
