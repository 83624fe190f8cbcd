import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionParts, databaseUser } from "../database/connection.ts";
import { systemCode } from "../database/errors.ts";
import type { DataFolder } from "./data-folder.ts";
import { giveTo, type Identity } from "./unprivileged.ts";

/** Where the embedded PostgreSQL listens, and its settings for that. */
export interface Endpoint {
  readonly connection: ConnectionParts;
  readonly settings: Readonly<Record<string, string>>;
  /** Made for this run alone, to be removed after it. */
  readonly temporaryFolder?: string;
}

/** sockaddr_un holds 108 bytes on Linux and 104 on macOS and the BSDs, the closing zero included. */
const socketPathBytes = process.platform === "linux" ? 107 : 103;
const socketFile = "/.s.PGSQL.5432";

/**
 * Unix sockets in a folder of ours alone: in the data folder, or a temporary one where that path is too long or the
 * file system takes no sockets. On Windows, where PostgreSQL's sockets are unreliable, loopback with a password.
 */
export function makeEndpoint(
  folder: DataFolder,
  identity: Identity,
  takesSockets: boolean,
): Promise<Endpoint> {
  return process.platform === "win32"
    ? makeLoopback(folder)
    : makeSocketEndpoint(folder, identity, takesSockets);
}

async function makeSocketEndpoint(
  folder: DataFolder,
  identity: Identity,
  takesSockets: boolean,
): Promise<Endpoint> {
  const isTooLong = Buffer.byteLength(folder.sockets + socketFile) > socketPathBytes;
  const isTemporary = isTooLong || !takesSockets;
  const host = isTemporary ? await mkdtemp(join(tmpdir(), "stocktake-")) : await makeSocketFolder(folder);
  await giveTo(identity, host);
  return {
    connection: { host, port: 5432, user: databaseUser, database: "stocktake" },
    settings: {
      listen_addresses: "",
      port: "5432",
      unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
      unix_socket_permissions: "0700",
    },
    ...(isTemporary ? { temporaryFolder: host } : {}),
  };
}

async function makeSocketFolder({ sockets }: DataFolder): Promise<string> {
  await mkdir(sockets, { recursive: true, mode: 0o700 });
  await chmod(sockets, 0o700);
  return sockets;
}

async function makeLoopback(folder: DataFolder): Promise<Endpoint> {
  const host = "127.0.0.1";
  const port = await findFreePort(host);
  const password = await keepPassword(join(folder.root, "password"));
  return {
    connection: { host, port, user: databaseUser, database: "stocktake", password },
    settings: { listen_addresses: host, port: String(port), unix_socket_directories: "" },
  };
}

function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** The password of earlier runs, or a new one: the database keeps what it was initialised with. */
async function keepPassword(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
  const password = randomBytes(24).toString("base64url");
  await writeFile(path, password, { mode: 0o600, flag: "wx" });
  return password;
}
