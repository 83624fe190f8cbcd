import { Button, type ButtonProps } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useContext, useState } from "react";
import { useNavigate } from "react-router";
import { LogoutWarningContext, leaveIdentity } from "./identity.ts";

// Seldom asked: no page waits for what dialogs are made of.
const ConfirmDialog = lazy(async () => ({
  default: (await import("../ui/confirm-dialog.tsx")).ConfirmDialog,
}));

interface LogoutButtonProps extends ButtonProps {
  readonly label?: string;
}

/** Logs out and goes to /login; asks first where something would remain unsent on this device. */
export function LogoutButton({ label = "Logout", ...button }: LogoutButtonProps) {
  const warningOf = useContext(LogoutWarningContext);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [warning, setWarning] = useState<string | null>(null);
  const leave = async () => {
    setWarning(null);
    await leaveIdentity(client);
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
