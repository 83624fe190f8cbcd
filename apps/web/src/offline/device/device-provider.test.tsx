import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { useContext } from "react";
import { expect, it, vi } from "vitest";
import { createQueryClient } from "../../http/query-client.ts";
import { identityKey, type LogoutWarning, LogoutWarningContext } from "../../identity/identity.ts";
import { counter } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import type { ScanDraft } from "../outbox/append.ts";
import { areaOne } from "../testing/engine-harness.ts";
import { clearDevice } from "../testing/fresh-database.ts";
import type { CountingDevice } from "./counting-device.ts";
import { useDeviceState } from "./device-context.ts";
import { DeviceProvider } from "./device-provider.tsx";

const draft: ScanDraft = {
  ...{ area: areaOne, input: "4006381333931", inputType: "barcode", method: "scan", scannedById: "user-1" },
  ...{ localOutcome: "counted", sku: "SKU-1", productTitle: "Shirt", size: "M" },
};

/** A page that shows how the device stands, and hands over each device that it is given. */
async function openPage() {
  vi.stubGlobal("reportError", vi.fn());
  clearDevice();
  new FakeServer(counter);
  const devices: CountingDevice[] = [];
  let warningOf: LogoutWarning = async () => null;
  function Page() {
    const state = useDeviceState();
    warningOf = useContext(LogoutWarningContext);
    if (state.status === "ready" && !devices.includes(state.device)) devices.push(state.device);
    return <p>{state.status === "unavailable" ? state.reason : state.status}</p>;
  }
  const client = createQueryClient();
  client.setQueryData(identityKey, { user: counter, invitationData: null, confirmed: true });
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <DeviceProvider>
        <Page />
      </DeviceProvider>
    </QueryClientProvider>,
  );
  const opened = await vi.waitFor(() => {
    const device = devices.at(-1);
    if (device === undefined) throw new Error("The device is not open yet.");
    return device;
  });
  return { devices, opened, unmount, warning: () => warningOf() };
}

it("S18: leaving warns of what has not reached the server, and says that it stays", async () => {
  const { opened, unmount, warning } = await openPage();
  expect(await warning()).toBeNull();
  await opened.scan(draft);
  expect(await warning()).toMatch(/^1 scan has not reached the server yet\. They stay on this device/);
  await opened.scan(draft);
  expect(await warning()).toMatch(/^2 scans have/);
  unmount();
});

it("S28: a storage that the browser has closed is opened again, with what lies in it, and scanning goes on", async () => {
  const { devices, opened, unmount } = await openPage();
  await opened.scan(draft);
  // As after iOS has ended the connection of a page in the background: no event, every transaction fails.
  opened.database.close();
  await expect(opened.scan(draft)).rejects.toThrow();
  await vi.waitFor(() => expect(devices).toHaveLength(2));
  const again = devices[1];
  expect(again?.deviceId).toBe(opened.deviceId);
  expect(await again?.scan(draft)).toMatchObject({ order: 2 });
  unmount();
});

it("S28: a page that comes into sight again looks at its storage before anybody scans", async () => {
  const { devices, opened, unmount } = await openPage();
  opened.database.close();
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => expect(devices).toHaveLength(2));
  expect(await devices[1]?.scan(draft)).toMatchObject({ order: 1 });
  unmount();
});

it("S28: a storage that cannot be opened again makes the page say so, and what to do", async () => {
  const { devices, opened, unmount } = await openPage();
  vi.stubGlobal("indexedDB", undefined);
  opened.database.close();
  await expect(opened.scan(draft)).rejects.toThrow();
  await screen.findByText(/load the page again/);
  expect(devices).toHaveLength(1);
  unmount();
});
