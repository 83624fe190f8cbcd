const knownKeys = [
  "stocktake.lastIdentity",
  "stocktake.loginEnd",
  "stocktake.logoutOwed",
  "stocktake.lastJoin",
];

/** Where somebody was signed in, or has a way back into a count, the login's page shows more than its form, or another page. */
function isPlainLogin(pathname: string): boolean {
  if (pathname !== "/login") return false;
  try {
    return knownKeys.every((key) => window.localStorage.getItem(key) === null);
  } catch {
    return true;
  }
}

function colorScheme(): "light" | "dark" {
  try {
    const chosen = window.localStorage.getItem("mantine-color-scheme-value");
    if (chosen === "light" || chosen === "dark") return chosen;
  } catch {
    // Storage may be forbidden; the system's scheme is then the answer.
  }
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function pageOf(pathname: string): "login" | "signed-in" | "public" {
  if (isPlainLogin(pathname)) return "login";
  return /^\/(?:admin|counter)(?!\/(?:invite|join)\/)(?:\/|$)/.test(pathname) ? "signed-in" : "public";
}

/** Whether the page's files come from the network: a service worker has them on the device. */
function isFirstLoad(): boolean {
  // Absent on pages served over plain http.
  return (navigator.serviceWorker?.controller ?? null) === null;
}

/** Tells the styles of index.html what to paint, in which colours: a dark page never flashes white. */
export function markDocument(): void {
  const { documentElement } = document;
  documentElement.setAttribute("data-mantine-color-scheme", colorScheme());
  documentElement.setAttribute("data-page", pageOf(window.location.pathname));
  documentElement.setAttribute("data-load", isFirstLoad() ? "first" : "kept");
}
