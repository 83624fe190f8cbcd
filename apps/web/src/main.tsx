import "./ui/theme/styles.ts";
import { StrictMode, startTransition } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createBrowserRouter, type DataRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import * as z from "zod/mini";
import { firstPage } from "./app/first-page.ts";
import { AppProviders } from "./app/providers.tsx";
import { routes } from "./app/routes.tsx";
import { createQueryClient } from "./http/query-client.ts";
import { registerServiceWorker } from "./service-worker/app-version.ts";
import { AppVersionContext } from "./service-worker/update-notice.tsx";

// The content policy forbids compiled code, which zod would otherwise try.
z.config({ jitless: true });

const place = document.getElementById("root");
if (place === null) throw new Error("index.html has no element with the id root.");

// The development server builds no service worker.
const version = registerServiceWorker(import.meta.env.PROD);

const client = createQueryClient();

function start(root: Root, router: DataRouter): void {
  // In pieces, so that a phone hears its person in between. A scan meanwhile is kept (scanner/early-keys.ts).
  startTransition(() =>
    root.render(
      <StrictMode>
        <AppVersionContext value={version}>
          <AppProviders client={client}>
            <RouterProvider router={router} />
          </AppProviders>
        </AppVersionContext>
      </StrictMode>,
    ),
  );
}

// Until then the page shows what index.html painted. Not awaited here: the page's files import this one.
firstPage(() => createBrowserRouter(routes), client).then(
  (router) => start(createRoot(place), router),
  globalThis.reportError,
);
