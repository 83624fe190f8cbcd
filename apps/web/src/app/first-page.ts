import type { QueryClient } from "@tanstack/react-query";
import type { DataRouter } from "react-router";
import { identityQuery } from "../identity/identity.ts";

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

/**
 * Resolves once the first page's code is there and it is known who is signed in, for which the two are asked at the same
 * time: what is drawn then needs not be drawn again. Neither failure is one here: the page itself shows it.
 */
export async function firstPage(router: DataRouter, client: QueryClient): Promise<void> {
  await Promise.all([initialised(router), client.prefetchQuery(identityQuery)]);
}
