/** A server without a public address puts this machine's own into a link; what is no whole address says nothing of it. */
export function opensHereOnly(link: string): boolean {
  try {
    return /^(localhost|127\..*|\[::1\])$/.test(new URL(link).hostname);
  } catch {
    return false;
  }
}
