import { Button, type ButtonProps } from "@mantine/core";
import { useContext, useState } from "react";
import { useNavigate } from "react-router";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { LogoutWarningContext, useLogout } from "./identity.ts";

interface LogoutButtonProps extends ButtonProps {
  readonly label?: string;
}

/** Logs out and goes to /login; asks first where something would remain unsent on this device. */
export function LogoutButton({ label = "Logout", ...button }: LogoutButtonProps) {
  const warningOf = useContext(LogoutWarningContext);
  const logout = useLogout();
  const navigate = useNavigate();
  const [warning, setWarning] = useState<string | null>(null);
  const leave = async () => {
    setWarning(null);
    await logout();
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
        <ConfirmDialog
          title="Log out?"
          message={warning}
          confirmLabel="Logout"
          danger={false}
          onConfirm={() => void leave()}
          onCancel={() => setWarning(null)}
        />
      )}
    </>
  );
}
