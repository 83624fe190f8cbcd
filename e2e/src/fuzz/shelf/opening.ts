import { acceptInvitation, createInvitation, listOutboxMails } from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { Randomness } from "../../../../apps/web/src/offline/ports.ts";
import { createSeededRandomness } from "../../../../apps/web/src/offline/testing/manual-clock.ts";
import type { SignedIn } from "../simulated-phone.ts";
import { ShelfCounter } from "./counter.ts";
import { PhoneLine } from "./phone-line.ts";
import { areasOfShelf } from "./shelf.ts";
import type { ShelfTrial } from "./shelf-trial.ts";

export const names = ["Ada", "Ben", "Cleo"];
const areasEach = areasOfShelf / names.length;

/** Three people who were invited, each with a phone and areas of their own. */
export async function gatherCounters(trial: ShelfTrial, random: Randomness): Promise<ShelfCounter[]> {
  const counters: ShelfCounter[] = [];
  for (const [index, name] of names.entries()) {
    const person = await join(trial, name);
    const own = createSeededRandomness(Math.floor(random.fraction() * 2 ** 31));
    const line = new PhoneLine(trial.time, () => own.fraction());
    line.url = trial.installation.url(index);
    line.cookie = person.cookie;
    const areas = trial.administrator.areas
      .map((area, number) => ({ area, number }))
      .slice(index * areasEach, (index + 1) * areasEach);
    const { shelf, time, plan } = trial;
    const counter = new ShelfCounter({
      ...{ person, line, shelf, time, areas, random: own, mistakes: plan.mistakes },
      slips: plan.slips,
      everybody: () => trial.counters,
      enterPaper: (number) => trial.paper.enterOf(number),
      clockError: plan.clocks.phones[index] ?? 0,
    });
    await counter.open();
    await counter.settled();
    counters.push(counter);
  }
  return counters;
}

async function join({ installation, administrator }: ShelfTrial, name: string): Promise<SignedIn> {
  const { admin } = installation;
  const { sessionId, storeId } = administrator;
  const email = `${name}@shelf.example`.toLowerCase();
  await admin.call(createInvitation, { body: { sessionId, storeId, email, counterName: name } });
  const { mails } = await admin.call(listOutboxMails);
  const link = mails.find(({ to }) => to === email)?.link ?? "";
  const client = new ApiClient(installation.url(0));
  const { user } = await client.call(acceptInvitation, {
    params: { token: link.split("/").at(-1) ?? "" },
  });
  return { userId: user._id, cookie: client.cookie ?? "" };
}
