import type { User } from "@stocktake/contract";
import type { ComponentType } from "react";
import { Navigate, Outlet, type RouteObject, useLocation } from "react-router";
import { SignedInContext, useAuth } from "../identity/identity.ts";
import { LoadingState } from "../ui/loading-state.tsx";
import { Root, RouteFailure } from "./root.tsx";
import type { RouteHandle } from "./route-announcer.tsx";
import { PublicShell, Shell } from "./shell.tsx";

function page(
  path: string,
  title: string,
  load: () => Promise<ComponentType>,
  ask?: RouteHandle["ask"],
): RouteObject {
  return {
    path,
    handle: { title, ...(ask === undefined ? {} : { ask }) } satisfies RouteHandle,
    lazy: async () => ({ Component: await load() }),
  };
}

const publicPages: RouteObject[] = [
  page("/login", "Login", async () => (await import("../features/auth/login-page.tsx")).LoginPage),
  page(
    "/unauthorized",
    "Access Denied",
    async () => (await import("../features/auth/unauthorized-page.tsx")).UnauthorizedPage,
  ),
  page(
    "/counter/invite/:token",
    "Invitation",
    async () => (await import("../features/invitations/accept-page.tsx")).AcceptInvitationPage,
  ),
  page(
    "/counter/join/:token",
    "Join the Count",
    async () => (await import("../features/invitations/session-code/join-page.tsx")).JoinPage,
  ),
];

const adminPages: RouteObject[] = [
  page("/admin", "Dashboard", async () => (await import("./dashboard.tsx")).Dashboard),
  page(
    "/admin/stores",
    "Stores",
    async () => (await import("../features/stores/stores-page.tsx")).StoresPage,
  ),
  page(
    "/admin/locations",
    "Locations",
    async () => (await import("../features/areas/locations-page.tsx")).LocationsPage,
  ),
  page(
    "/admin/locations/:locationId/labels",
    "Area Labels",
    async () => (await import("../features/areas/area-labels-page.tsx")).AreaLabelsPage,
  ),
  page("/admin/sessions", "Sessions", async () => (await import("./sessions.tsx")).Sessions),
  page(
    "/admin/sessions/:sessionId/code",
    "Session Code",
    async () => (await import("../features/invitations/session-code/session-code-page.tsx")).SessionCodePage,
  ),
  page(
    "/admin/sessions/:sessionId/exceptions",
    "Scans to Decide",
    async () => (await import("../features/reports/exceptions/exceptions-page.tsx")).ExceptionsPage,
  ),
  page(
    "/admin/sessions/:sessionId/second-counts",
    "Second Counts",
    async () => (await import("../features/second-counts/second-counts-page.tsx")).SecondCountsPage,
  ),
  page(
    "/admin/sessions/:sessionId/count-again",
    "What to Count Again",
    async () => (await import("../features/second-counts/count-again-page.tsx")).CountAgainPage,
  ),
  page(
    "/admin/sessions/:sessionId/searches",
    "Never Counted",
    async () => (await import("../features/searches/searches-page.tsx")).SearchesPage,
  ),
  page(
    "/admin/sessions/:sessionId/coverage",
    "Coverage",
    async () => (await import("../features/certificates/coverage-page.tsx")).CoveragePage,
  ),
  page(
    "/admin/sessions/:sessionId/files",
    "Counts from Files",
    async () => (await import("../features/paper/paper-page.tsx")).PaperPage,
  ),
  page(
    "/admin/sessions/:sessionId/sheets",
    "Count Sheets",
    async () => (await import("../features/paper/sheets/sheets-page.tsx")).SheetsPage,
  ),
  page(
    "/admin/sessions/:sessionId/sheets/print",
    "Print Count Sheets",
    async () => (await import("../features/paper/sheets/print-page.tsx")).PrintSheetsPage,
  ),
  page(
    "/admin/sessions/:sessionId/sheets/:number",
    "Key a Count Sheet",
    async () => (await import("../features/paper/sheets/keying/key-page.tsx")).KeySheetPage,
  ),
  page("/admin/users", "Users", async () => (await import("../features/users/users-page.tsx")).UsersPage),
  page(
    "/admin/reports",
    "Reports",
    async () => (await import("../features/reports/reports-page.tsx")).ReportsPage,
    async (...given) => (await import("../features/reports/report-query.ts")).askForReport(...given),
  ),
  page("/admin/packs", "Packs", async () => (await import("../features/packs/packs-page.tsx")).PacksPage),
  page("/admin/settings", "Settings", async () => (await import("./settings.tsx")).Settings),
  page("/admin/audit", "Audit Log", async () => (await import("../features/audit/audit-page.tsx")).AuditPage),
];

/** For screens that show one thing, without header and menu. */
const adminScreens: RouteObject[] = [
  page(
    "/admin/wall",
    "Count on a Screen",
    async () => (await import("../features/sessions/wall/wall-page.tsx")).WallPage,
  ),
];

const counterPages: RouteObject[] = [
  page(
    "/counter",
    "Dashboard",
    async () => (await import("../features/counting/dashboard/counter-dashboard.tsx")).CounterDashboard,
  ),
  page(
    "/counter/scan",
    "Scan",
    async () => (await import("../features/counting/scan-screen/scan-screen.tsx")).ScanScreen,
  ),
  page(
    "/counter/search/:sessionId/:number",
    "Search List",
    async () => (await import("../features/counting/searching/search-page.tsx")).SearchPage,
  ),
  page(
    "/counter/logins",
    "My Logins",
    async () => (await import("../features/account/logins/own-logins-page.tsx")).OwnLoginsPage,
  ),
];

/** Lets a role's users through; sends others to /unauthorized, and who is not signed in to /login (and back afterwards). */
function RequireRole({ role }: { role: User["role"] }) {
  const auth = useAuth();
  const location = useLocation();
  if (auth.status === "checking") return <LoadingState />;
  if (auth.status === "signed-out") return <Navigate to="/login" replace state={{ from: location }} />;
  if (auth.user.role !== role) return <Navigate to="/unauthorized" replace />;
  // Another person in this browser begins anew: nothing on screen is the former one's, and each scan names who made it.
  return (
    <SignedInContext value={auth}>
      <Outlet key={auth.user._id} />
    </SignedInContext>
  );
}

/** The front door: admins to /admin, others to /counter. */
function Home() {
  const auth = useAuth();
  if (auth.status === "checking") return <LoadingState />;
  if (auth.status === "signed-out") return <Navigate to="/login" replace />;
  return <Navigate to={auth.user.role === "admin" ? "/admin" : "/counter"} replace />;
}

function guarded(role: User["role"], children: RouteObject[], screens: RouteObject[] = []): RouteObject {
  return { element: <RequireRole role={role} />, children: [{ element: <Shell />, children }, ...screens] };
}

/** Every route of the specification (section 2) with its guard; pages load when they are first opened. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <LoadingState />,
    children: [
      { element: <PublicShell />, children: publicPages },
      guarded("admin", adminPages, adminScreens),
      guarded("counter", counterPages),
      { path: "/", element: <Home /> },
      { path: "*", element: <Navigate to="/login" replace /> },
    ],
  },
];
