import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { identityKey } from "../../../identity/identity.ts";
import { DeviceContext } from "../../../offline/device/device-context.ts";
import type { CountingDevice } from "../../../offline/offline.ts";
import { mia } from "./scripted-device.ts";

interface Rendered {
  readonly device: CountingDevice;
  readonly client: QueryClient;
  readonly element: ReactNode;
  readonly path: string;
}

/** Shows an element to Mia at every address, with her device, beginning at a path. Returns the router. */
export function renderWithDevice({ device, client, element, path }: Rendered) {
  client.setQueryData(identityKey, { user: mia, invitationData: null, confirmed: true });
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [path] });
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <DeviceContext value={{ status: "ready", device }}>
          <RouterProvider router={router} />
        </DeviceContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return router;
}
