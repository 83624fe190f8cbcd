import type { ReactNode } from "react";
import { type CountingDevice, useDeviceState } from "../../../offline/offline.ts";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";

/** A page that needs the device's storage: until it is open, and where it can't be, it says so. */
export function OnDevice({ children }: { readonly children: (device: CountingDevice) => ReactNode }) {
  const state = useDeviceState();
  switch (state.status) {
    case "opening":
      return <LoadingState label="Opening this device" />;
    case "unavailable":
      return <ErrorMessage message={state.reason} />;
    case "ready":
      return children(state.device);
  }
}
