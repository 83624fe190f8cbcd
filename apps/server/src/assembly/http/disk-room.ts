import { statfs } from "node:fs/promises";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { messageOf } from "../../database/errors.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../../kernel/config.ts";
import { diskFull } from "../../kernel/storage-failure.ts";

/**
 * PostgreSQL writes its log in files of 16 MiB and ends where none fits. While so much is left, reading, ending what is under
 * way and the server's own notes go on.
 */
const reserveBytes = 96 * 1024 * 1024;
const readEveryMs = 1_000;

/** What is free in the file system of a folder, in bytes. */
export type ReadRoom = (folder: string) => Promise<number>;

const readRoomOnDisk: ReadRoom = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

interface DiskServices {
  readonly config: Pick<Config, "databaseUrl" | "dataDir">;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/** How the disk of the embedded database is doing: read at most once a second, and never waited for. */
class DiskRoom {
  readonly #services: DiskServices;
  readonly #readRoom: ReadRoom;
  #readAt = Number.NEGATIVE_INFINITY;
  #isShort = false;

  constructor(services: DiskServices, readRoom: ReadRoom) {
    this.#services = services;
    this.#readRoom = readRoom;
  }

  isShort(): boolean {
    const now = this.#services.clock.now();
    if (Math.abs(now - this.#readAt) >= readEveryMs) {
      this.#readAt = now;
      void this.#read();
    }
    return this.#isShort;
  }

  async #read(): Promise<void> {
    const { config, logger } = this.#services;
    try {
      const free = await this.#readRoom(config.dataDir);
      const isShort = free < reserveBytes;
      if (isShort && !this.#isShort) logger.error({ free }, "The disk is full; nothing more is stored");
      if (!isShort && this.#isShort) logger.info({ free }, "The disk has room again; storing goes on");
      this.#isShort = isShort;
    } catch (error) {
      logger.warn(`The room on the disk could not be read: ${messageOf(error)}`);
    }
  }
}

/**
 * Refuses what would store something while the disk of the embedded database is nearly full: PostgreSQL itself would end
 * where it can't write its log. Reading goes on, and so does storing once there is room.
 */
export function refuseWithoutRoom(
  app: FastifyInstance,
  services: DiskServices,
  readRoom: ReadRoom = readRoomOnDisk,
): void {
  const { databaseUrl, dataDir } = services.config;
  if (databaseUrl !== null || dataDir === "") return;
  const room = new DiskRoom(services, readRoom);
  app.addHook("onRequest", ({ method }, _reply, done) => {
    if (method !== "GET" && method !== "HEAD" && room.isShort()) throw diskFull();
    done();
  });
}
