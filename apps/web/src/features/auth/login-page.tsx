import { Anchor, Button, Stack, Text } from "@mantine/core";
import { countingConstants, type User } from "@stocktake/contract";
import { useEffect, useState } from "react";
import { Link, type Location, useLocation, useNavigate } from "react-router";
import { ApiError } from "../../http/errors.ts";
import { type EndedLogin, readEndedLogin, useAuth, useIsLogoutOwed } from "../../identity/identity.ts";
import { readLastCode } from "../../identity/join-keys.ts";
import { useDeviceState, useQueueState } from "../../offline/device/device-provider.tsx";
import type { CountingDevice } from "../../offline/offline.ts";
import { Notice } from "../../ui/notice.tsx";
import { PublicCard } from "../../ui/public-card.tsx";
import { saveFile } from "../../ui/saving/save-file.ts";
import { useAdminLogin, useCounterLogin } from "./api.ts";
import { AdminLoginForm, CounterLoginForm, SecondFactorForm } from "./login-forms.tsx";
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

async function saveQueue({ database, deviceId, clock }: CountingDevice): Promise<void> {
  // Where a device is ready its code is there; a login that nobody was at before needs none of it.
  const { exportQueue } = await import("../../offline/offline.ts");
  const { name, text } = await exportQueue(database, deviceId, clock.now());
  saveFile(new Blob([text], { type: "application/json" }), name);
}

/**
 * An invitation by which somebody has signed in elsewhere is as good as before, and so is a session code's key, for which there is
 * no link; of a session that is over there is none. After anything else a key may open nothing, and then the code is asked at anew.
 */
function wayBack({ isTemporary, reason }: EndedLogin): string {
  if (!isTemporary) return messages.bySigningIn;
  if (reason === "session_over") return messages.byAdministrator;
  const byCode = readLastCode() !== null;
  if (reason === "signed_in_elsewhere") return byCode ? messages.byContinuing : messages.bySameInvitation;
  return byCode ? messages.byCode : messages.byNewInvitation;
}

/** What this device holds that the server does not, and how it gets there. */
function KeptScans({ device, ended }: { device: CountingDevice; ended: EndedLogin }) {
  const { pending, setAside } = useQueueState(device);
  const kept = pending + setAside;
  if (kept === 0) return <Text fz="sm">{ended.role === "counter" ? messages.allSent : null}</Text>;
  return (
    <>
      <Text fz="sm">{messages.kept(kept)}</Text>
      <Text fz="sm">{wayBack(ended)}</Text>
      <Button variant="default" onClick={() => void saveQueue(device).catch(globalThis.reportError)}>
        {messages.save}
      </Button>
    </>
  );
}

/** Says why the person who was signed in here is at the login now, and what became of their scans. */
export function EndedLoginNotice() {
  const [ended] = useState(readEndedLogin);
  const state = useDeviceState();
  if (ended === null) return null;
  const detail = messages.details[ended.reason];
  return (
    <Notice kind="warning" title={messages.ended[ended.reason]} role="status">
      <Stack gap="xs">
        {detail === null ? null : <Text fz="sm">{detail}</Text>}
        {state.status === "ready" ? <KeptScans device={state.device} ended={ended} /> : null}
      </Stack>
    </Notice>
  );
}

/** Whoever leaves a shared device may wait for it, or leave the page to it. */
function OwedLogoutNotice() {
  if (!useIsLogoutOwed()) return null;
  return (
    <Notice kind="warning" title={messages.logoutOwed} role="status">
      {messages.logoutOwedText}
    </Notice>
  );
}

/** The password, and then the second factor where there is one; one that took too long begins again. */
function AdminLogin({ admin }: { readonly admin: ReturnType<typeof useAdminLogin> }) {
  const [over, setOver] = useState<Error | null>(null);
  const question = admin.error instanceof ApiError ? admin.error.secondFactor : null;
  if (question === null) return <AdminLoginForm login={admin} before={over} />;
  const goBack = (error: Error | null) => {
    setOver(error);
    admin.reset();
  };
  return <SecondFactorForm question={question} onBack={goBack} />;
}

/** For whoever joined by a session code, and would be another counter by asking anew. */
function ContinueCount() {
  const [code] = useState(readLastCode);
  if (code === null) return null;
  return (
    <Button component={Link} to={`/counter/join/${code}`} variant="default" size="lg">
      {messages.continueCount}
    </Button>
  );
}

export function LoginPage() {
  const [byUsername, setByUsername] = useState(false);
  const admin = useAdminLogin();
  const counter = useCounterLogin();
  useLeaveWhenSignedIn(admin.isIdle ? 0 : countingConstants.adminLoginRedirectMs);
  return (
    <PublicCard>
      <EndedLoginNotice />
      <OwedLogoutNotice />
      <ContinueCount />
      {byUsername ? <CounterLoginForm login={counter} /> : <AdminLogin admin={admin} />}
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
