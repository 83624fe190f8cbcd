import { useQueryClient } from "@tanstack/react-query";
import type { MouseEvent, ReactNode } from "react";
import { NavLink, useLocation, useNavigate } from "react-router";
import { useSignedIn } from "../../identity/identity.ts";
import { useDeviceState } from "../../offline/device/device-provider.tsx";
import type { CountingDevice } from "../../offline/offline.ts";

const scanPage = "/counter/scan";

interface ScanLinkProps {
  readonly className: string;
  readonly onFollow: () => void;
  readonly children: ReactNode;
}

/** "Scan" in the menu: back into the area that is being counted, or else to the choice of one. */
export function ScanLink({ className, onFollow, children }: ScanLinkProps) {
  const { user } = useSignedIn();
  const state = useDeviceState();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();

  async function follow(device: CountingDevice): Promise<void> {
    // The menu is on every page, what counting is made of is not.
    const { wayToScan } = await import("./opening/way-to-scan.ts");
    const { to, state } = await wayToScan(device, client, user._id);
    await navigate(to, { state });
  }

  const open = (event: MouseEvent) => {
    onFollow();
    // Without the device the page itself says what is wrong.
    if (state.status !== "ready") return;
    event.preventDefault();
    if (pathname !== scanPage) follow(state.device).catch(globalThis.reportError);
  };
  return (
    <NavLink to={scanPage} className={className} onClick={open}>
      {children}
    </NavLink>
  );
}
