/** A server without a public address puts this machine's own into a link. */
export function opensHereOnly(link: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(new URL(link).hostname);
}
