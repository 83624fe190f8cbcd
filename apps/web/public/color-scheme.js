// Runs before the first paint, so that a dark page never flashes white. A file of its own: the content policy forbids inline scripts.
(() => {
  let chosen = null;
  try {
    chosen = window.localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage may be forbidden; the system's scheme is then the answer.
  }
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const scheme = chosen === "light" || chosen === "dark" ? chosen : dark ? "dark" : "light";
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
  const isPublic = !/^\/(?:admin|counter)(?!\/(?:invite|join)\/)(?:\/|$)/.test(window.location.pathname);
  document.documentElement.setAttribute("data-page", isPublic ? "public" : "signed-in");
})();
