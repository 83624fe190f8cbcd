// Runs before the first paint, so that a dark page never flashes white. A file of its own: the content policy forbids inline scripts.
(() => {
  // Where somebody was signed in, or has a way back into a count, the login's page shows more than its form, or another page.
  const isPlainLogin = (pathname) => {
    if (pathname !== "/login") return false;
    try {
      const known = ["stocktake.lastIdentity", "stocktake.loginEnd", "stocktake.lastJoin"];
      return known.every((key) => window.localStorage.getItem(key) === null);
    } catch {
      return true;
    }
  };
  let chosen = null;
  try {
    chosen = window.localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage may be forbidden; the system's scheme is then the answer.
  }
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const scheme = chosen === "light" || chosen === "dark" ? chosen : dark ? "dark" : "light";
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
  const { pathname } = window.location;
  const isPublic = !/^\/(?:admin|counter)(?!\/(?:invite|join)\/)(?:\/|$)/.test(pathname);
  const page = isPublic ? "public" : "signed-in";
  document.documentElement.setAttribute("data-page", isPlainLogin(pathname) ? "login" : page);
})();
