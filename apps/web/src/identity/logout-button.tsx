import { Button, type ButtonProps } from "@mantine/core";
import { logout } from "@stocktake/contract";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useContext, useState } from "react";
import { useNavigate } from "react-router";
import { callApi } from "../http/call.ts";
import { LogoutWarningContext, leaveIdentity } from "./identity.ts";

// Seldom asked: no page waits for what dialogs are made of.
const ConfirmDialog = lazy(async () => ({
  default: (await import("../ui/confirm-dialog.tsx")).ConfirmDialog,
}));

/** Signs out on the server if it responds (a failure is only reported), and in this page in any case. */
function useLogout(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    try {
      await callApi(logout);
    } catch (error) {
      globalThis.reportError(error);
    }
    leaveIdentity(client);
  }, [client]);
}

interface LogoutButtonProps extends ButtonProps {
  readonly label?: string;
}

/** Logs out and goes to /login; asks first where something would remain unsent on this device. */
export function LogoutButton({ label = "Logout", ...button }: LogoutButtonProps) {
  const warningOf = useContext(LogoutWarningContext);
  const endLogin = useLogout();
  const navigate = useNavigate();
  const [warning, setWarning] = useState<string | null>(null);
  const leave = async () => {
    setWarning(null);
    await endLogin();
    await navigate("/login", { replace: true });
  };
  const ask = async () => {
    const message = await warningOf();
    if (message === null) await leave();
    else setWarning(message);
  };
  return (
    <>
      <Button variant="default" {...button} onClick={() => void ask()}>
        {label}
      </Button>
      {warning === null ? null : (
        <Suspense>
          <ConfirmDialog
            title="Log out?"
            message={warning}
            confirmLabel="Logout"
            danger={false}
            onConfirm={() => void leave()}
            onCancel={() => setWarning(null)}
          />
        </Suspense>
      )}
    </>
  );
}
