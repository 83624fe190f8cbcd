import { MantineProvider } from "@mantine/core";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { describe, expect, it, vi } from "vitest";
import { loadColumns } from "../features/dashboard/activity-chart.tsx";
import { AppVersionContext } from "../service-worker/update-notice.tsx";
import { theme } from "../ui/theme/theme.ts";
import { RouteFailure } from "./root.tsx";

const gone = new Error("There is no such file.");

function Broken(): never {
  throw gone;
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

  it("shows the activity without its chart, and reports why", async () => {
    const reported = vi.fn();
    vi.stubGlobal("reportError", reported);
    const { default: Columns } = await loadColumns(() => Promise.reject(gone));
    const { container } = render(<Columns hours={[]} height={220} />);
    expect(container.textContent).toBe("");
    expect(reported).toHaveBeenCalledWith(gone);
  });
});
