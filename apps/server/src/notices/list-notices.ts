import type { CallAnswer, GuessingNotice, listNotices as listNoticesCall } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { GuessingFacts } from "./guessing.ts";

type Guessing = Required<Pick<CallAnswer<typeof listNoticesCall>, "notices" | "furtherNotices">>;

/** Not known to a page of the release before, which an update leaves open. */
const isFurther = ({ login, knownBrowser }: GuessingNotice) =>
  login === "second_factor" || knownBrowser === true;

/** The guessing that the administrator has not put away yet, newest first. */
export async function listNotices(database: Database): Promise<Guessing> {
  const rows = await database
    .selectFrom("notices")
    .select(["id", "facts", "beganAt", "lastAt"])
    .where("kind", "=", "guessing")
    .where("dismissedAt", "is", null)
    .orderBy("lastAt", "desc")
    .limit(shownAtOnce)
    .$narrowType<{ facts: GuessingFacts }>()
    .execute();
  const all = rows.map(
    ({ id, facts, beganAt, lastAt }): GuessingNotice => ({
      ...{ _id: id, ...facts },
      ...{ beganAt: beganAt.toISOString(), lastAt: lastAt.toISOString() },
    }),
  );
  return { notices: all.filter((notice) => !isFurther(notice)), furtherNotices: all.filter(isFurther) };
}

const shownAtOnce = 20;

/** Puts a notice away for good; guessing that goes on after an hour of silence is another one. @throws ApiError NOT_FOUND. */
export async function dismissNotice(database: Database, id: string): Promise<void> {
  const dismissed = await database
    .updateTable("notices")
    .set({ dismissedAt: new Date() })
    .where("id", "=", id)
    .where("kind", "=", "guessing")
    .where("dismissedAt", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (dismissed === undefined) throw notFound("The notice");
}
