import { MantineProvider } from "@mantine/core";
import { changeAdminPassword, connections, diagnosis, health, listLogins } from "@stocktake/contract";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { readSetting, settings, writeSetting } from "../../offline/offline.ts";
import { openFreshDatabase } from "../../offline/testing/fresh-database.ts";
import { admin } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { theme } from "../../ui/theme/theme.ts";
import { AudioSettingsForm } from "./audio-defaults.tsx";
import { problemOfPasswordChange } from "./password-form.tsx";

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
    epoch: "epoch-1",
  });
  server.answer(listLogins, { logins: [] });
  server.answer(diagnosis, { checkedAt: "2026-03-01T08:00:00.000Z", findings: [] });
  server.answer(connections, {
    database: { kind: "embedded", name: null },
    shopify: null,
    mail: null,
    address: null,
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
  ])("%o: %s [spec:5.1][spec:9.1]", (entry, problem) => {
    expect(problemOfPasswordChange(entry)).toBe(problem);
  });

  it("reports the change and empties the fields [spec:8.success.3]", async () => {
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
  it("names each part, and shows when the shop is a demo", async () => {
    settingsServer();
    openPage("/admin/settings");
    await screen.findByText("Demonstration");
    screen.getByText("Not configured");
    expect(screen.getAllByText("Working")).toHaveLength(3);
  });

  it("says since when Shopify's levels could not be read, and what that means", async () => {
    const server = settingsServer();
    const ok = { status: "ok", message: "" } as const;
    server.answer(health, {
      ...{
        status: "ok",
        database: ok,
        shopify: ok,
        mail: ok,
        demo: false,
        version: "1.0.0",
        epoch: "epoch-1",
      },
      sync: { status: "unavailable", message: "For 12 minutes." },
      stockUnreadSince: "2026-03-01T10:00:00.000Z",
    });
    openPage("/admin/settings");
    const note = await screen.findByText(/^Shopify's stock levels could not be read since /);
    expect(note.textContent).toContain("no scan is lost");
    screen.getByText("Unavailable");
  });
});

describe("the checks", () => {
  it("name what is wrong and what to do about it, and are made again on demand", async () => {
    const server = settingsServer();
    server.answer(diagnosis, {
      checkedAt: "2026-03-01T08:00:00.000Z",
      findings: [
        { check: "database", status: "ok", message: "Read at 2026-03-01 09:30:00 UTC.", advice: null },
        {
          check: "scopes",
          status: "failed",
          message: "The shop has not granted write_inventory.",
          advice: "Add it to a new version of the app.",
        },
      ],
    });
    openPage("/admin/settings");
    const panel = await screen.findByRole("region", { name: "Checks" });
    await within(panel).findByText("The shop has not granted write_inventory.");
    within(panel).getByText("Add it to a new version of the app.");
    within(panel).getByText("Failed");
    within(panel).getByText("OK");
    // As the times beside it, and not in UTC.
    within(panel).getByText(`Read at ${dateTimeText("2026-03-01T09:30:00.000Z")}.`);

    server.answer(diagnosis, {
      checkedAt: "2026-03-01T08:05:00.000Z",
      findings: [{ check: "scopes", status: "ok", message: "Granted: all of them.", advice: null }],
    });
    await userEvent.click(within(panel).getByRole("button", { name: "Check Again" }));
    await within(panel).findByText("Granted: all of them.");
    expect(within(panel).queryByText("Failed")).toBeNull();
  });

  it("that can't be made say so and can be tried again", async () => {
    settingsServer().refuse(diagnosis, "INTERNAL", "Something went wrong on the server.");
    openPage("/admin/settings");
    const panel = await screen.findByRole("region", { name: "Checks" });
    await within(panel).findByText(/Something went wrong on the server/);
  });
});

describe("the connections", () => {
  it("name the shop, the database and the mail server", async () => {
    settingsServer().answer(connections, {
      database: { kind: "server", name: "db.internal / stocktake" },
      shopify: {
        shop: "linden.myshopify.com",
        server: "linden.myshopify.com",
        name: "Linden Quay",
        currency: "EUR",
        productsReadAt: null,
        webhooks: false,
        clockAheadSeconds: 2.1,
      },
      mail: null,
      address: null,
    });
    openPage("/admin/settings");
    const panel = await screen.findByRole("region", { name: "Connections" });
    await within(panel).findByText("Linden Quay (linden.myshopify.com)");
    const facts = within(panel)
      .getAllByRole("definition")
      .map((fact) => fact.textContent);
    expect(facts).toEqual([
      "db.internal / stocktake",
      "Linden Quay (linden.myshopify.com)",
      "EUR",
      "Not yet",
      "Not configured. Stock levels are read live every minute during a count, products hourly.",
      "2.1 s ahead of the database's. Stocktake takes that into account; set the server's clock by NTP.",
      "None; invitations go to the outbox",
      "Same as your browser's address",
    ]);
  });
});

describe("Shopify's clock", () => {
  async function clockFact(clockAheadSeconds: number | null): Promise<string | undefined> {
    settingsServer().answer(connections, {
      ...{ database: { kind: "embedded", name: null }, mail: null, address: null },
      shopify: {
        ...{ shop: "linden.myshopify.com", server: "linden.myshopify.com", name: null, currency: "EUR" },
        ...{ productsReadAt: null, webhooks: true, clockAheadSeconds },
      },
    });
    openPage("/admin/settings");
    const panel = await screen.findByRole("region", { name: "Connections" });
    await within(panel).findByText("linden.myshopify.com");
    return within(panel).queryByText("Shopify's clock")?.nextElementSibling?.textContent ?? undefined;
  }

  it.each([null, 0, 2, -2])("is not shown where it is %s s ahead", async (ahead) => {
    expect(await clockFact(ahead)).toBeUndefined();
  });

  it.each([
    [2.1, /^2\.1 s ahead of the database's/],
    [-7, /^7 s behind the database's/],
  ])("is shown where it is %s s ahead", async (ahead, words) => {
    expect(await clockFact(ahead)).toMatch(words);
  });
});

describe("the audio defaults", () => {
  it("changed before the kept ones were read change those, and leave the rest of them", async () => {
    const database = await openFreshDatabase();
    await writeSetting(database, settings.audio, { enabled: true, volume: 0.2 }, "2026-03-01T08:00:00.000Z");
    await writeSetting(database, settings.debounce, "same_code", "2026-03-01T08:00:00.000Z");
    render(
      <MantineProvider theme={theme} env="test">
        <AudioSettingsForm database={database} />
      </MantineProvider>,
    );
    // At once, in the same turn: nothing has been read yet.
    fireEvent.click(screen.getByRole("switch", { name: "Sounds" }));
    await waitFor(async () =>
      expect(await readSetting(database, settings.audio)).toEqual({ enabled: false, volume: 0.2 }),
    );
    await waitFor(() =>
      expect(screen.getByRole("slider", { name: /Volume/ })).toHaveProperty("value", "0.2"),
    );
    expect(screen.getByRole("switch", { name: "Sounds" })).toHaveProperty("checked", false);
    expect(await readSetting(database, settings.debounce)).toBe("same_code");
    database.close();
  });

  it("begin with sounds on at 0.7 and are kept on this device under audioSettings [spec:9.5]", async () => {
    const database = await openFreshDatabase();
    render(
      <MantineProvider theme={theme} env="test">
        <AudioSettingsForm database={database} />
      </MantineProvider>,
    );
    // What is kept is read in order: once this is answered, so is the form.
    await act(async () => void (await readSetting(database, settings.audio)));
    const volume = screen.getByRole("slider", { name: /Volume/ });
    expect(screen.getByRole("switch", { name: "Sounds" })).toHaveProperty("checked", true);
    expect(volume).toHaveProperty("value", "0.7");
    fireEvent.change(volume, { target: { value: "0.3" } });
    await userEvent.click(screen.getByRole("switch", { name: "Sounds" }));
    await waitFor(async () =>
      expect(await readSetting(database, settings.audio)).toEqual({ enabled: false, volume: 0.3 }),
    );
    expect(screen.getByRole("button", { name: "Beep" })).toHaveProperty("disabled", true);
    database.close();
  });
});
