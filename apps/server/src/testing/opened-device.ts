import type { TestServer } from "./test-server.ts";

/** Puts a device into a session of which nobody has heard since the administrator opened an area on it, though the session may have ended. */
export async function putOpenedDevice({ database }: TestServer, sessionId: string): Promise<string> {
  const { id: userId } = await database.database
    .selectFrom("users")
    .select("id")
    .where("role", "=", "admin")
    .executeTakeFirstOrThrow();
  const opened = { sessionId, deviceId: "a phone", userId, tellsQueue: true };
  await database.database.insertInto("openedDevices").values(opened).execute();
  return opened.deviceId;
}
