import { MantineProvider } from "@mantine/core";
import type { InvitationData, User } from "@stocktake/contract";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { vi } from "vitest";
import { createQueryClient } from "../../../http/query-client.ts";
import { identityKey } from "../../../identity/identity.ts";
import { DeviceContext, type DeviceState } from "../../../offline/device/device-context.ts";
import { type CountingDevice, syncProducts } from "../../../offline/offline.ts";
import { clearDevice } from "../../../offline/testing/fresh-database.ts";
import { BackClosesProvider } from "../../../ui/pressing/back-closes.tsx";
import { theme } from "../../../ui/theme/theme.ts";
import { CounterDashboard } from "../dashboard/counter-dashboard.tsx";
import { ScanScreen } from "../scan-screen/scan-screen.tsx";
import { SearchPage } from "../searching/search-page.tsx";
import { areaOne, mia, openScriptedDevice } from "./scripted-device.ts";
import { ScriptedShop } from "./scripted-shop.ts";

/** One counter's page over a scripted shop, on a device of its own. */
export interface CounterHarness {
  readonly shop: ScriptedShop;
  readonly device: CountingDevice;
  readonly client: QueryClient;
  readonly path: () => string;
  readonly state: () => unknown;
  /** The browser's Back: before the first page there is the dashboard. */
  readonly back: () => Promise<void>;
  /** The page's storage is closed and opened again; returns the device from then on. */
  readonly reopen: () => Promise<CountingDevice>;
}

interface Opening {
  readonly path: string;
  readonly state?: unknown;
  readonly shop?: ScriptedShop;
  /** Products are on the device already. */
  readonly isSynced?: boolean;
  /** The device of an earlier page, as after a reload. */
  readonly device?: CountingDevice;
  readonly deviceState?: DeviceState;
  readonly invitationData?: InvitationData;
  /** Who is signed in; the temporary counter Mia by default. */
  readonly user?: User;
}

function Root() {
  return (
    <BackClosesProvider>
      <Outlet />
    </BackClosesProvider>
  );
}

/** Opens /counter or /counter/scan as a signed-in counter. */
export async function openCounter(opening: Opening): Promise<CounterHarness> {
  const shop = opening.shop ?? new ScriptedShop();
  vi.stubGlobal("fetch", shop.fetch);
  if (opening.device === undefined) clearDevice();
  const device = opening.device ?? (await openScriptedDevice(shop));
  if (opening.isSynced !== false && opening.device === undefined) {
    await syncProducts(device, "store-1");
  }
  const client = createQueryClient();
  client.setQueryData(identityKey, {
    user: opening.user ?? mia,
    invitationData: opening.invitationData ?? null,
    confirmed: true,
  });
  const router = createMemoryRouter(
    [
      {
        element: <Root />,
        children: [
          { path: "/counter", element: <CounterDashboard /> },
          { path: "/counter/scan", element: <ScanScreen /> },
          { path: "/counter/search/:sessionId/:number", element: <SearchPage /> },
        ],
      },
    ],
    { initialEntries: ["/counter", { pathname: opening.path, state: opening.state }] },
  );
  const pageOn = (deviceState: DeviceState) => (
    <MantineProvider theme={theme}>
      <QueryClientProvider client={client}>
        <DeviceContext value={deviceState}>
          <RouterProvider router={router} />
        </DeviceContext>
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = render(pageOn(opening.deviceState ?? { status: "ready", device }));
  return {
    ...{ shop, device, client },
    async reopen() {
      await device.engine.settled();
      device.close();
      rerender(pageOn({ status: "opening" }));
      const again = await openScriptedDevice(shop);
      rerender(pageOn({ status: "ready", device: again }));
      return again;
    },
    path: () => router.state.location.pathname,
    state: () => router.state.location.state,
    back: () => act(() => router.navigate(-1)),
  };
}

/** Opens the scan screen of an area and waits until it takes scans. */
export async function openStation(opening: Partial<Opening> = {}): Promise<CounterHarness> {
  const harness = await openCounter({ path: "/counter/scan", state: areaOne, ...opening });
  await screen.findByRole("heading", { name: /^Area / });
  await vi.waitFor(() => {
    if (!harness.shop.isAway && !harness.shop.requests.includes("GET /api/area/session-1/A1")) {
      throw new Error("The area has not been asked about yet.");
    }
  });
  return harness;
}
