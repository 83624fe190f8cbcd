import { MantineProvider } from "@mantine/core";
import { whoAmI } from "@stocktake/contract";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { createQueryClient } from "../../http/query-client.ts";
import { keepJoinKey } from "../../identity/join-keys.ts";
import { openStocktakeDatabase } from "../../offline/database/database.ts";
import { DeviceProvider } from "../../offline/device/device-provider.tsx";
import { appendScan } from "../../offline/outbox/append.ts";
import { areaOne } from "../../offline/testing/engine-harness.ts";
import { clearDevice } from "../../offline/testing/fresh-database.ts";
import { createManualClock, createSeededRandomness } from "../../offline/testing/manual-clock.ts";
import { counter } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { EndedLoginNotice } from "./login-page.tsx";

async function keepScans(count: number): Promise<void> {
  clearDevice();
  const database = await openStocktakeDatabase();
  const stamp = {
    deviceId: "device-1",
    clock: createManualClock(),
    random: createSeededRandomness(),
    offset: null,
  };
  for (let made = 0; made < count; made += 1) {
    await appendScan(
      database,
      {
        ...{
          area: areaOne,
          input: "4006381333931",
          inputType: "barcode",
          method: "scan",
          scannedById: "user-1",
        },
        ...{ localOutcome: "counted", sku: "SKU-1", productTitle: "Shirt", size: "M" },
      },
      stamp,
    );
  }
  database.close();
}

/** The notice with what this device keeps, beside the page. */
function showNotice(): void {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient()}>
        <DeviceProvider>
          <EndedLoginNotice />
        </DeviceProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

/** A counter was signed in on this device; the page is loaded again after the server ended that. */
function comeBack(loginEnd?: string, user = counter): void {
  localStorage.setItem("stocktake.lastIdentity", JSON.stringify({ user, invitationData: null }));
  const body = { error: "Please sign in.", code: "UNAUTHENTICATED", loginEnd };
  new FakeServer().answerWith(whoAmI, () => Response.json(body, { status: 401 }));
}

describe("the login page after a login that the server ended", () => {
  it.each([
    ["invitation_revoked", "Your invitation was revoked"],
    ["session_over", "Your counting session is over"],
    ["signed_in_elsewhere", "You were signed out here, because you signed in elsewhere"],
    ["expired", "Your login has expired"],
    [undefined, "Your login has ended"],
  ])("S18: says what happened: %s", async (loginEnd, title) => {
    comeBack(loginEnd);
    openPage("/counter");
    await screen.findByText(title);
    screen.getByRole("heading", { name: "Administrator Login" });
  });

  it.each([
    [
      "invitation_revoked",
      "Your invitation was revoked",
      "Open a new invitation link to the same counting session on this device, or scan its session code again if you came by that, and it sends what is kept. Once that session has ended, let the administrator sign in on this device instead. Or save what is kept as a file for the administrator to import under Sessions.",
    ],
    [
      "signed_in_elsewhere",
      "You were signed out here, because you signed in elsewhere",
      "Open your invitation link again on this device, and it sends what is kept. Once that session has ended, let the administrator sign in on this device instead. Or save what is kept as a file for the administrator to import under Sessions.",
    ],
    [
      "session_over",
      "Your counting session is over",
      "Let the administrator sign in on this device, and it sends what is kept: an invitation to another session does not. Or save what is kept as a file for the administrator to import under Sessions.",
    ],
  ])(
    "S18: says how many scans are kept, how they reach the server, and saves them as a file: %s",
    async (loginEnd, title, way) => {
      await keepScans(3);
      comeBack(loginEnd);
      openPage("/counter");
      await screen.findByText(title);
      showNotice();
      await screen.findByText(/3 scans on this device have not reached the server/);
      screen.getByText(way);
      screen.getByRole("button", { name: "Save Queue as File" });
    },
  );

  it("S18: leads somebody who came by a session code back by the button, as they have no link", async () => {
    await keepScans(1);
    keepJoinKey("code-1", "toms-key");
    comeBack("signed_in_elsewhere");
    openPage("/counter");
    await screen.findByRole("link", { name: "Continue the Count" });
    showNotice();
    await screen.findByText(/^Press Continue the Count on this page, .* sends what is kept\./);
  });

  it.each(["invitation_revoked", "expired", undefined])(
    "S18: tells somebody who came by a session code to scan it again, not to open a link that they never had: %s",
    async (loginEnd) => {
      await keepScans(1);
      keepJoinKey("code-1", "toms-key");
      comeBack(loginEnd);
      openPage("/counter");
      await screen.findByRole("link", { name: "Continue the Count" });
      showNotice();
      await screen.findByText(
        /^Press Continue the Count on this page, or scan the session code again, .* sends what is kept once you have joined\./,
      );
    },
  );

  it("S18: says what somebody does whose account is refused by now", async () => {
    await keepScans(1);
    comeBack(undefined, { ...counter, isTemporary: false });
    openPage("/counter");
    await screen.findByText("Your login has ended");
    showNotice();
    await screen.findByText(
      /If your account was deactivated or deleted, let the administrator sign in on this device instead\./,
    );
  });

  it("tells a stranger nothing", async () => {
    new FakeServer();
    openPage("/login");
    await screen.findByRole("heading", { name: "Administrator Login" });
    expect(screen.queryByText(/Your login/)).toBeNull();
  });
});
