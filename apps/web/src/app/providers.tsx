import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LiveEventsProvider } from "../http/live-events.tsx";
import { useAuth } from "../identity/identity.ts";
import { DeviceProvider } from "../offline/device/device-provider.tsx";
import { cssVariables, theme } from "../ui/theme/theme.ts";

function LiveEvents({ children }: { children: ReactNode }) {
  const auth = useAuth();
  return <LiveEventsProvider active={auth.status === "signed-in"}>{children}</LiveEventsProvider>;
}

/** The providers of every page: the theme, the server's state, what changed, and this device with its queue. */
export function AppProviders({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <LiveEvents>
          <DeviceProvider>{children}</DeviceProvider>
        </LiveEvents>
      </QueryClientProvider>
    </MantineProvider>
  );
}
