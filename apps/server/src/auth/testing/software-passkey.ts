import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import type { NewPasskey, PasskeyAnswer } from "@stocktake/contract";

type Cbor = number | string | Buffer | ReadonlyMap<Cbor, Cbor>;

/** CBOR (RFC 8949) of what an attestation holds. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(kind: number, size: number): Buffer {
  const first = kind << 5;
  if (size < 24) return Buffer.from([first | size]);
  if (size < 256) return Buffer.from([first | 24, size]);
  return Buffer.from([first | 25, size >> 8, size & 255]);
}

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

const [userPresent, credentialData] = [0x01, 0x40];

/** The public key as COSE has it (RFC 9053): ES256 on P-256. */
function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = [x, y].map((part) => Buffer.from(part, "base64url"));
  const [byX = Buffer.alloc(0), byY = Buffer.alloc(0)] = point;
  return cbor(
    new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, byX],
      [-3, byY],
    ]),
  );
}

interface Site {
  readonly rpId: string;
  readonly origin: string;
}

/** A security key in software, as a browser passes on what it does at a site (WebAuthn level 2). */
export class SoftwarePasskey {
  readonly id = randomBytes(16);
  private readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  private readonly site: Site;
  private uses = 0;

  constructor(site: Site) {
    this.site = site;
  }

  /** Makes the passkey for what the server asked. */
  create({ challenge }: { readonly challenge: string }): NewPasskey {
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, coseOf(this.keys.publicKey)]);
    const authData = Buffer.concat([this.dataOf(userPresent | credentialData), attested]);
    const attestation = cbor(
      new Map<Cbor, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    );
    return {
      ...this.credential(),
      response: {
        clientDataJSON: this.clientData("webauthn.create", challenge).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["usb"],
      },
    };
  }

  /** Signs what the server asked. */
  use({ challenge }: { readonly challenge: string }): PasskeyAnswer {
    const authData = this.dataOf(userPresent);
    const clientData = this.clientData("webauthn.get", challenge);
    const signed = createSign("sha256").update(Buffer.concat([authData, sha256(clientData)]));
    return {
      ...this.credential(),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signed.sign(this.keys.privateKey).toString("base64url"),
      },
    };
  }

  private credential() {
    const id = this.id.toString("base64url");
    return { id, type: "public-key" as const };
  }

  private dataOf(flags: number): Buffer {
    this.uses += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.uses);
    return Buffer.concat([sha256(this.site.rpId), Buffer.from([flags]), count]);
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.site.origin, crossOrigin: false }));
  }
}
