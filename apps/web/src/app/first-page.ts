import type { QueryClient } from "@tanstack/react-query";
import type { DataRouter } from "react-router";
import { nextTask } from "../events/next-task.ts";
import { identityQuery } from "../identity/identity.ts";
import { runPageFiles } from "./page-files.ts";
import type { AskAhead } from "./route-announcer.tsx";

function initialised(router: DataRouter): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

/** Not awaited, and no failure of the first page: what it shows is asked for again where it has not come. */
function askAhead({ state }: DataRouter, client: QueryClient): void {
  const address = new URLSearchParams(state.location.search);
  for (const { route } of state.matches) {
    const ask: AskAhead | undefined = route.handle?.ask;
    ask?.(client, address).catch(() => undefined);
  }
}

/**
 * Resolves with the router once the first page's code is there and it is known who is signed in, for which the two are asked at the same
 * time: what is drawn then needs not be drawn again. Neither failure is one here: the page itself shows it.
 */
export async function firstPage(createRouter: () => DataRouter, client: QueryClient): Promise<DataRouter> {
  // The start, of which this is the last, has just run all that it is made of.
  await nextTask();
  const identified = client.prefetchQuery(identityQuery);
  await runPageFiles(window.location.pathname);
  const router = createRouter();
  await initialised(router);
  askAhead(router, client);
  await identified;
  return router;
}
