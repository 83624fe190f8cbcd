import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import { createMemoryRouter, type InitialEntry, RouterProvider } from "react-router";
import { routes } from "../app/routes.tsx";
import { createQueryClient } from "../http/query-client.ts";
import { theme } from "../ui/theme/theme.ts";

/** Opens the application at an address, or at a history entry with its state, over the stubbed fetch. */
export function openPage(path: InitialEntry) {
  const client = createQueryClient();
  client.setDefaultOptions({
    ...client.getDefaultOptions(),
    queries: { retry: false, networkMode: "always" },
  });
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return {
    client,
    /** As a link in the application does it. */
    goTo: (to: string) => act(() => router.navigate(to)),
    path: () => router.state.location.pathname,
    address: () => `${router.state.location.pathname}${router.state.location.search}`,
  };
}
