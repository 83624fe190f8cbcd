import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect } from "react";
import { LiveEventsProvider } from "../http/live-events.tsx";
import { confirmIdentity, followOtherTabs, useAuth } from "../identity/identity.ts";
import { DeviceProvider } from "../offline/device/device-provider.tsx";
import { MeantPressesProvider } from "../ui/pressing/meant-presses.tsx";
import { cssVariables, theme } from "../ui/theme/theme.ts";

function LiveEvents({ client, children }: { client: QueryClient; children: ReactNode }) {
  const auth = useAuth();
  useEffect(() => followOtherTabs(client), [client]);
  const confirm = useCallback(() => void confirmIdentity(client), [client]);
  return (
    <LiveEventsProvider userId={auth.status === "signed-in" ? auth.user._id : null} onRefused={confirm}>
      {children}
    </LiveEventsProvider>
  );
}

/** The providers of every page: the theme, the server's state, what changed, this device with its queue, and what was pressed last. */
export function AppProviders({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <LiveEvents client={client}>
          <DeviceProvider>
            <MeantPressesProvider>{children}</MeantPressesProvider>
          </DeviceProvider>
        </LiveEvents>
      </QueryClientProvider>
    </MantineProvider>
  );
}
