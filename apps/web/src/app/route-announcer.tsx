import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation, useMatches } from "react-router";

/** A route's `handle`. */
export interface RouteHandle {
  readonly title: string;
  /** Asks for what the page of an address shows, once its code is there; nobody waits for it. */
  readonly ask?: AskAhead;
}

/** @throws what a call throws */
export type AskAhead = (client: QueryClient, address: URLSearchParams) => Promise<void>;

function titleOf(handle: unknown): string | null {
  if (typeof handle !== "object" || handle === null || !("title" in handle)) return null;
  return typeof handle.title === "string" ? handle.title : null;
}

/** Gives the document the route's title, and the focus to the new page's heading when the path changes. */
export function RouteAnnouncer() {
  const matches = useMatches();
  const { pathname } = useLocation();
  const title = matches.map((match) => titleOf(match.handle)).findLast((name) => name !== null);
  const shownPath = useRef(pathname);
  useEffect(() => {
    document.title = title === undefined || title === null ? "Stocktake" : `${title} · Stocktake`;
  }, [title]);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    const main = document.querySelector<HTMLElement>("main");
    // A page that focuses a field of its own (a login, the scanner's input) keeps it.
    if (main === null || main.contains(document.activeElement)) return;
    const target = main.querySelector<HTMLElement>("h1[tabindex]") ?? main;
    target.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  return null;
}
