import { Anchor, Text } from "@mantine/core";
import { countingConstants, type User } from "@stocktake/contract";
import { useEffect, useState } from "react";
import { type Location, useLocation, useNavigate } from "react-router";
import { useAuth } from "../../identity/identity.ts";
import { PublicCard } from "../../ui/public-card.tsx";
import { useAdminLogin, useCounterLogin } from "./api.ts";
import { EndedLoginNotice } from "./ended-login-notice.tsx";
import { AdminLoginForm, CounterLoginForm } from "./login-forms.tsx";
import { messages } from "./messages.ts";

/** Where a login leads: the address, and the state that its history entry had. */
interface Destination {
  readonly to: string;
  readonly state: unknown;
}

function isLocation(value: unknown): value is Location {
  return (
    typeof value === "object" && value !== null && "pathname" in value && typeof value.pathname === "string"
  );
}

function cameFrom(state: unknown): Location | null {
  if (typeof state !== "object" || state === null || !("from" in state)) return null;
  return isLocation(state.from) ? state.from : null;
}

/** The page a person came from where their role may see it, otherwise their dashboard. */
export function destinationAfterLogin(role: User["role"], loginState: unknown): Destination {
  const home = role === "admin" ? "/admin" : "/counter";
  const from = cameFrom(loginState);
  if (from === null || !(from.pathname === home || from.pathname.startsWith(`${home}/`))) {
    return { to: home, state: null };
  }
  return { to: `${from.pathname}${from.search ?? ""}${from.hash ?? ""}`, state: from.state };
}

/** Redirects a signed-in user away from the login: at once, or `delayMs` after a login on this page. */
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
      <EndedLoginNotice />
      {byUsername ? <CounterLoginForm login={counter} /> : <AdminLoginForm login={admin} />}
      <div>
        <Text c="dimmed" fz="sm">
          {messages.hint}
        </Text>
        <Anchor
          component="button"
          type="button"
          fz="sm"
          ta="start"
          onClick={() => setByUsername(!byUsername)}
        >
          {byUsername ? messages.toAdminForm : messages.toCounterForm}
        </Anchor>
      </div>
    </PublicCard>
  );
}
