import "./ui/styles.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import * as z from "zod/mini";
import { AppProviders } from "./app/providers.tsx";
import { routes } from "./app/routes.tsx";
import { createQueryClient } from "./http/query-client.ts";
import { registerServiceWorker } from "./service-worker/register.ts";

// The content policy forbids compiled code, which zod would otherwise try.
z.config({ jitless: true });

const place = document.getElementById("root");
if (place === null) throw new Error("index.html has no element with the id root.");

createRoot(place).render(
  <StrictMode>
    <AppProviders client={createQueryClient()}>
      <RouterProvider router={createBrowserRouter(routes)} />
    </AppProviders>
  </StrictMode>,
);

// The development server builds no service worker.
if (import.meta.env.PROD) registerServiceWorker();
