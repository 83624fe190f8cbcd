import { Anchor, Text } from "@mantine/core";
import { countingConstants } from "@stocktake/contract";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useAuth } from "../../identity/identity.ts";
import { PublicCard } from "../../ui/public-card.tsx";
import { useAdminLogin, useCounterLogin } from "./api.ts";
import { destinationAfterLogin } from "./destination.ts";
import { AdminLoginForm, CounterLoginForm } from "./login-forms.tsx";
import { texts } from "./texts.ts";

/** Leads whoever is signed in away from the login: at once, and `delayMs` after a login that was made here. */
function useLeaveWhenSignedIn(delayMs: number): void {
  const auth = useAuth();
  const navigate = useNavigate();
  const { state } = useLocation();
  const role = auth.status === "signed-in" ? auth.user.role : null;
  useEffect(() => {
    if (role === null) return;
    const destination = destinationAfterLogin(role, state);
    const timer = window.setTimeout(
      () => void navigate(destination.to, { replace: true, state: destination.state }),
      delayMs,
    );
    return () => window.clearTimeout(timer);
  }, [role, state, navigate, delayMs]);
}

export function LoginPage() {
  const [byUsername, setByUsername] = useState(false);
  const admin = useAdminLogin();
  const counter = useCounterLogin();
  useLeaveWhenSignedIn(admin.isIdle ? 0 : countingConstants.adminLoginRedirectMs);
  return (
    <PublicCard>
      {byUsername ? <CounterLoginForm login={counter} /> : <AdminLoginForm login={admin} />}
      <div>
        <Text c="dimmed" fz="sm">
          {texts.hint}
        </Text>
        <Anchor
          component="button"
          type="button"
          fz="sm"
          ta="start"
          onClick={() => setByUsername(!byUsername)}
        >
          {byUsername ? texts.toAdminForm : texts.toCounterForm}
        </Anchor>
      </div>
    </PublicCard>
  );
}
