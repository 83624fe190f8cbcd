import { MantineProvider } from "@mantine/core";
import { listAreas, listSessions, listStores, scanActivity } from "@stocktake/contract";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { describe, expect, it, vi } from "vitest";
import { AppVersionContext } from "../service-worker/update-notice.tsx";
import { admin } from "../testing/examples.ts";
import { FakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.tsx";
import { theme } from "../ui/theme/theme.ts";
import { RouteFailure } from "./root.tsx";

// The server has a newer version's files, and not this one any more.
vi.mock("../features/dashboard/activity-columns.tsx", () => {
  throw new Error("There is no such file.");
});

function Broken(): never {
  throw new Error("There is no such file.");
}

describe("a page of a version whose files the server does not have any more", () => {
  it("is loaded again as the newer version that waits", async () => {
    vi.stubGlobal("reportError", () => undefined);
    vi.spyOn(console, "error").mockReturnValue();
    const version = {
      isUpdateWaiting: () => true,
      subscribe: () => () => undefined,
      update: vi.fn(),
      check: vi.fn(async () => undefined),
    };
    const router = createMemoryRouter([{ path: "/", Component: Broken, ErrorBoundary: RouteFailure }]);
    render(
      <MantineProvider theme={theme} env="test">
        <AppVersionContext value={version}>
          <RouterProvider router={router} />
        </AppVersionContext>
      </MantineProvider>,
    );
    await userEvent.click(await screen.findByRole("button", { name: "Reload Page" }));
    await waitFor(() => expect(version.update).toHaveBeenCalled());
    expect(version.check).toHaveBeenCalled();
  });

  it("shows a dashboard with the activity in words", async () => {
    const reported = vi.fn();
    vi.stubGlobal("reportError", reported);
    const server = new FakeServer(admin);
    server.answer(listStores, { stores: [] });
    server.answer(listSessions, { sessions: [] });
    server.answer(listAreas, { areas: [] });
    server.answer(scanActivity, { begun: true, since: "2026-03-01T11:00:00.000Z", hours: [0, 5] });
    openPage("/admin");
    await screen.findByText(/^5 scans in the last 3 days/);
    await waitFor(() => expect(screen.queryAllByText(/^Loading/)).toEqual([]));
    screen.getByRole("heading", { name: "Activity Chart" });
    screen.getByText(/^5 scans in the last 3 days/);
    expect(reported).toHaveBeenCalled();
  });
});
