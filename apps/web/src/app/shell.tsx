import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import type { User } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { lazy, type RefObject, Suspense, useCallback, useEffect, useId, useRef, useState } from "react";
import { Link, NavLink, Outlet, useLocation } from "react-router";
import { ScanLink } from "../features/counting/scan-link.tsx";
import { healthQuery } from "../http/health.ts";
import { useSignedIn } from "../identity/identity.ts";
import { LogoutButton } from "../identity/logout-button.tsx";
import { CloseIcon, MenuIcon, MoonIcon, SunIcon } from "../ui/icons.tsx";
import { LoadingState } from "../ui/loading-state.tsx";
import { Logo } from "../ui/logo.tsx";
import classes from "./shell.module.css";

// Only an administrator needs it: a counter's phone does not load it.
const AccountGuards = lazy(async () => ({
  default: (await import("../features/account/account-guards.tsx")).AccountGuards,
}));

// The menu is on every page, what counting is made of is not.
const RecountNews = lazy(async () => ({
  default: (await import("../features/counting/recounts/recount-news.tsx")).RecountNews,
}));

const Inbox = lazy(async () => ({ default: (await import("../features/notices/inbox.tsx")).Inbox }));

interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  /** Every other page lies below it; the other entries are marked on the pages below them too. */
  readonly isTop?: boolean;
}

/** Specification, section 2: "Shared layout". */
const navigation: Record<User["role"], readonly NavigationEntry[]> = {
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

const roleLabels: Record<User["role"], string> = {
  admin: "Administrator",
  counter: "Counter Staff",
};

function NavigationLinks({ onFollow }: { onFollow: () => void }) {
  const { user } = useSignedIn();
  return navigation[user.role].map((entry) =>
    entry.to === "/counter/scan" ? (
      <ScanLink key={entry.to} className={classes.link ?? ""} onFollow={onFollow}>
        {entry.label}
      </ScanLink>
    ) : (
      <NavLink key={entry.to} to={entry.to} end={entry.isTop === true} className={classes.link ?? ""}>
        {entry.label}
      </NavLink>
    ),
  );
}

/** The way to what is one's own. A temporary counter's login is a matter of the invitation. */
function SettingsLink() {
  const { user } = useSignedIn();
  if (user.isTemporary) return null;
  const [to, label] =
    user.role === "admin" ? ["/admin/settings", "Settings"] : ["/counter/logins", "My Logins"];
  return (
    <NavLink to={to} className={classes.link ?? ""}>
      {label}
    </NavLink>
  );
}

function Names() {
  const { user } = useSignedIn();
  return (
    <div className={classes.names}>
      <div className={classes.username} title={user.username}>
        {user.username}
      </div>
      <div className={classes.role}>{roleLabels[user.role]}</div>
    </div>
  );
}

function AdminInbox() {
  const { user } = useSignedIn();
  if (user.role !== "admin") return null;
  return (
    <Suspense>
      <Inbox />
    </Suspense>
  );
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={48}
      aria-label={`Switch to ${other} mode`}
      onClick={() => setColorScheme(other)}
    >
      {scheme === "dark" ? <SunIcon /> : <MoonIcon />}
    </ActionIcon>
  );
}

function MobileMenu({ id, onFollow }: { id: string; onFollow: () => void }) {
  return (
    <div className={`${classes.menu} ${classes.narrow}`} id={id}>
      <Names />
      <nav aria-label="Main">
        <NavigationLinks onFollow={onFollow} />
        <SettingsLink />
      </nav>
      <LogoutButton />
    </div>
  );
}

/** A button of the menu asks before it does something; the question goes with the menu, and is no place beside it. */
const isAsking = () => document.querySelector("[role=dialog]") !== null;

/** While the menu is open, Escape closes it, and a press anywhere else on the page. */
function useDismissal(isOpen: boolean, close: () => void): RefObject<HTMLElement | null> {
  const header = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape" && !isAsking()) close();
    };
    const onPress = ({ target }: PointerEvent) => {
      if (isAsking()) return;
      if (target instanceof Node && header.current?.contains(target) === false) close();
    };
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("pointerdown", onPress);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("pointerdown", onPress);
    };
  }, [isOpen, close]);
  return header;
}

function Header() {
  const { pathname } = useLocation();
  // The menu belongs to the page it was opened on, so that following a link closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const open = openedOn === pathname;
  const close = useCallback(() => setOpenedOn(null), []);
  const menuId = useId();
  const header = useDismissal(open, close);
  return (
    <header className={classes.header} ref={header}>
      <div className={classes.bar}>
        <Link to="/" className={classes.home ?? ""} aria-label="Stocktake, home">
          <Logo size={30} />
        </Link>
        <nav className={`${classes.links} ${classes.wide}`} aria-label="Main">
          <NavigationLinks onFollow={close} />
        </nav>
        <div className={classes.person}>
          <div className={classes.wide}>
            <SettingsLink />
          </div>
          <div className={classes.wide}>
            <Names />
          </div>
          <AdminInbox />
          <ColorSchemeButton />
          <div className={classes.wide}>
            <LogoutButton />
          </div>
          <ActionIcon
            className={classes.narrow ?? ""}
            variant="subtle"
            color="gray"
            size={48}
            aria-label={open ? "Close menu" : "Open menu"}
            aria-expanded={open}
            aria-controls={menuId}
            onClick={() => setOpenedOn(open ? null : pathname)}
          >
            {open ? <CloseIcon size={24} /> : <MenuIcon size={24} />}
          </ActionIcon>
        </div>
      </div>
      {open ? <MobileMenu id={menuId} onFollow={close} /> : null}
    </header>
  );
}

function Footer({ note }: { note?: string }) {
  return (
    <footer className={classes.footer}>
      Stocktake · Version 1.0{note === undefined ? "" : ` · ${note}`}
    </footer>
  );
}

/** Tells an administrator that a deploy here reaches no real shop. */
function FooterForSignedIn() {
  const { user } = useSignedIn();
  const { data } = useQuery({ ...healthQuery, enabled: user.role === "admin" });
  return data?.demo === true ? <Footer note="Demo shop: no real Shopify store is changed" /> : <Footer />;
}

/** The layout of every page behind a guard: header, the page, footer. */
export function Shell() {
  const { user } = useSignedIn();
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <Header />
      <main id="content" className={classes.main} tabIndex={-1}>
        <Suspense>{user.role === "admin" ? <AccountGuards /> : <RecountNews />}</Suspense>
        <Suspense fallback={<LoadingState />}>
          <Outlet />
        </Suspense>
      </main>
      <FooterForSignedIn />
    </>
  );
}

/** The layout of the public pages: one thing in the middle of the page. */
export function PublicShell() {
  return (
    <>
      <main id="content" className={classes.centre} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  );
}
