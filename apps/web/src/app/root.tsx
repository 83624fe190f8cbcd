import { Button, Stack, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect } from "react";
import { Outlet, useLocation, useNavigate, useRouteError } from "react-router";
import { onUnauthenticated } from "../http/unauthenticated.ts";
import { endIdentity } from "../identity/identity.ts";
import { AppVersionContext } from "../service-worker/update-notice.tsx";
import { ErrorMessage } from "../ui/error-box.tsx";
import { BackClosesProvider } from "../ui/pressing/back-closes.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";
import classes from "./shell.module.css";

function mayStayWithoutLogin(pathname: string): boolean {
  return pathname === "/login" || /^\/counter\/(invite|join)\//.test(pathname);
}

/** A 401 of any call ends the login in the page and leads to /login, unless the page needs none. */
function useLoginEnd(): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  useEffect(
    () =>
      onUnauthenticated((loginEnd) => {
        endIdentity(client, loginEnd);
        if (mayStayWithoutLogin(location.pathname)) return;
        void navigate("/login", { replace: true, state: { from: location } });
      }),
    [client, navigate, location],
  );
}

/** What surrounds every route. */
export function Root() {
  useLoginEnd();
  return (
    <BackClosesProvider>
      <RouteAnnouncer />
      <Outlet />
    </BackClosesProvider>
  );
}

/** Shown where a page can't be drawn: mostly a file of an older version that is gone from the server. */
export function RouteFailure() {
  const error = useRouteError();
  const version = useContext(AppVersionContext);
  useEffect(() => globalThis.reportError(error), [error]);
  // What is found meanwhile is installed by the time that somebody has read this.
  useEffect(() => void version.check(), [version]);
  // The worker serves the same older page from its cache, whose file is gone, until the newer version takes over.
  const reload = async () => {
    await version.check();
    if (version.isUpdateWaiting()) version.update();
    else window.location.reload();
  };
  return (
    <main className={classes.centre}>
      <Stack>
        <Title order={1} fz="1.5rem">
          This page could not be shown
        </Title>
        <ErrorMessage
          message="Nothing that was counted or saved is lost."
          advice="Load the page again. If that does not help, check the connection."
        />
        <Button onClick={reload}>Reload Page</Button>
      </Stack>
    </main>
  );
}
