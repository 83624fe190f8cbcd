import { Secret, TOTP } from "otpauth";

/** As every authenticator app has it by itself (RFC 6238): SHA-1, six digits, thirty seconds. */
const form = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** A phone's clock may be wrong by one step. */
const steps = 1;
const secretBytes = 20;

function totpOf(secret: Uint8Array, label = ""): TOTP {
  return new TOTP({
    ...form,
    issuer: "Stocktake",
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  });
}

export function newSecret(): Buffer {
  return Buffer.from(new Secret({ size: secretBytes }).bytes);
}

/** The secret as it is typed into an app, and the address that an app reads from a QR code. */
export function describeSecret(secret: Uint8Array, account: string): { secret: string; address: string } {
  const totp = totpOf(secret, account);
  return { secret: totp.secret.base32, address: totp.toString() };
}

/** The number of the time step that a code is of, if it is of this one or of one beside it; `now` in milliseconds. */
export function stepOfCode(secret: Uint8Array, code: string, now: number): number | null {
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const distance = totpOf(secret).validate({ token, timestamp: now, window: steps });
  return distance === null ? null : Math.floor(now / 1_000 / form.period) + distance;
}
