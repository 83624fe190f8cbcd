import type { Seeker } from "../../reports/reports.ts";

/**
 * The temporary counter on whose word alone it rests that something is not there: the `person` of whoever said so, on however many phones; null
 * where somebody else has said or decided it too, or somebody with a password.
 */
export function temporaryAlone(seekers: readonly Seeker[]): string | null {
  const [seeker, ...others] = seekers;
  if (seeker === undefined || others.some(({ person }) => person !== seeker.person)) return null;
  return seekers.every(({ isTemporary }) => isTemporary) ? seeker.person : null;
}
