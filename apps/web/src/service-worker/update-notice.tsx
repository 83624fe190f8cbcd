import { Button } from "@mantine/core";
import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import { Notice } from "../ui/notice.tsx";
import type { AppVersion } from "./app-version.ts";

const none: AppVersion = {
  isUpdateWaiting: () => false,
  subscribe: () => () => {},
  update: () => {},
  check: async () => {},
};

/** The version of the app that this page belongs to. */
export const AppVersionContext = createContext<AppVersion>(none);

/** Offers a newer version where one is waiting. Shown only on dashboards: nobody is interrupted in the middle of an area. */
export function UpdateNotice() {
  const version = useContext(AppVersionContext);
  const isWaiting = useSyncExternalStore(version.subscribe, version.isUpdateWaiting);
  useEffect(() => void version.check(), [version]);
  if (!isWaiting) return null;
  return (
    <Notice
      kind="info"
      role="status"
      title="A new version is ready"
      action={
        <Button size="lg" onClick={version.update}>
          Update
        </Button>
      }
    >
      Your scans stay on this device.
    </Notice>
  );
}
