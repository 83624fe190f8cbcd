import type { User } from "@stocktake/contract";

export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  /** Every other page lies below it; the other entries are marked on the pages below them too. */
  readonly isTop?: boolean;
}

/** Specification, section 2: "Shared layout". */
export const navigation: Record<User["role"], readonly NavigationEntry[]> = {
  admin: [
    { to: "/admin", label: "Dashboard", isTop: true },
    { to: "/admin/stores", label: "Stores" },
    { to: "/admin/locations", label: "Locations" },
    { to: "/admin/sessions", label: "Sessions" },
    { to: "/admin/users", label: "Users" },
    { to: "/admin/reports", label: "Reports" },
  ],
  counter: [
    { to: "/counter", label: "Dashboard", isTop: true },
    { to: "/counter/scan", label: "Scan" },
  ],
};

export const roleLabels: Record<User["role"], string> = {
  admin: "Administrator",
  counter: "Counter Staff",
};
