import type { User } from "@stocktake/contract";
import { Navigate, Outlet, useLocation } from "react-router";
import { useAuth } from "../identity/identity.ts";
import { LoadingState } from "../ui/loading-state.tsx";

/** Lets a role's users through; sends others to /unauthorized, and who is not signed in to /login (and back afterwards). */
export function RequireRole({ role }: { role: User["role"] }) {
  const auth = useAuth();
  const location = useLocation();
  if (auth.status === "checking") return <LoadingState />;
  if (auth.status === "signed-out") return <Navigate to="/login" replace state={{ from: location }} />;
  if (auth.user.role !== role) return <Navigate to="/unauthorized" replace />;
  return <Outlet />;
}

/** The front door: admins to /admin, others to /counter. */
export function Home() {
  const auth = useAuth();
  if (auth.status === "checking") return <LoadingState />;
  if (auth.status === "signed-out") return <Navigate to="/login" replace />;
  return <Navigate to={auth.user.role === "admin" ? "/admin" : "/counter"} replace />;
}
