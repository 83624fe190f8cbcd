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

/** A page that shows the state of the device and collects each device that is provided. */
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

it("S18: logging out warns about rows that have not reached the server, which stay on the device", async () => {
  const { opened, unmount, warning } = await openPage();
  expect(await warning()).toBeNull();
  await opened.scan(draft);
  expect(await warning()).toMatch(/^1 scan has not reached the server yet\. It stays on this device/);
  await opened.scan(draft);
  expect(await warning()).toMatch(/^2 scans have/);
  unmount();
});

it("S28: storage that the browser has closed is opened again with its content, and scanning continues", async () => {
  const { devices, opened, unmount } = await openPage();
  await opened.scan(draft);
  // As when iOS closes the database of a page in the background: no event, every transaction fails.
  opened.database.close();
  await expect(opened.scan(draft)).rejects.toThrow();
  await vi.waitFor(() => expect(devices).toHaveLength(2));
  const again = devices[1];
  expect(again?.deviceId).toBe(opened.deviceId);
  expect(await again?.scan(draft)).toMatchObject({ order: 2 });
  unmount();
});

it("S28: storage that the browser deletes beneath the page gets back what was not sent, and the person is told", async () => {
  const { devices, opened, unmount } = await openPage();
  const scan = await opened.scan(draft);
  clearDevice();
  opened.database.close();
  await expect(opened.scan(draft)).rejects.toThrow();
  await vi.waitFor(() => expect(devices).toHaveLength(2));
  const again = devices[1];
  expect(again?.deviceId).toBe(opened.deviceId);
  expect(again?.rescued).toBe(1);
  expect(await again?.database.getAll("pendingScans")).toMatchObject([{ opId: scan.opId, seq: scan.seq }]);
  expect(await again?.scan(draft)).toMatchObject({ order: 2 });
  unmount();
});

it("S28: a page that becomes visible again checks its storage before the next scan", async () => {
  const { devices, opened, unmount } = await openPage();
  opened.database.close();
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => expect(devices).toHaveLength(2));
  expect(await devices[1]?.scan(draft)).toMatchObject({ order: 1 });
  unmount();
});

it("S28: storage that can't be opened while the browser is still deleting it is opened a moment later, with what was not sent", async () => {
  const { devices, opened, unmount } = await openPage();
  const scan = await opened.scan(draft);
  clearDevice();
  const working = globalThis.indexedDB;
  vi.stubGlobal("indexedDB", undefined);
  opened.database.close();
  await expect(opened.scan(draft)).rejects.toThrow();
  await vi.waitFor(() => expect(globalThis.reportError).toHaveBeenCalled());
  vi.stubGlobal("indexedDB", working);
  await vi.waitFor(() => expect(devices).toHaveLength(2));
  expect(await devices[1]?.database.getAll("pendingScans")).toMatchObject([{ opId: scan.opId }]);
  unmount();
});

it("S28: where storage cannot be opened again, the page explains what to do", async () => {
  const { devices, opened, unmount } = await openPage();
  vi.stubGlobal("indexedDB", undefined);
  opened.database.close();
  await expect(opened.scan(draft)).rejects.toThrow();
  await screen.findByText(/Reload the page/);
  expect(devices).toHaveLength(1);
  unmount();
});
