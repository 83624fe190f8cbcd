import type { Plugin } from "vite";
import { chunksOf, closure, type OutputBundle, type OutputChunk } from "./output.ts";

/** Every administrator's page begins with it. */
const guards = "features/account/account-guards.tsx";

/** What a page needs besides the start, under the first address below which it is: the modules that it begins with. */
const pages: readonly (readonly [address: string, modules: readonly string[]])[] = [
  ["/login", ["features/auth/login-page.tsx"]],
  ["/counter/invite", ["features/invitations/accept-page.tsx"]],
  ["/counter/join", ["features/invitations/session-code/join-page.tsx"]],
  ["/counter/scan", ["features/counting/scan-screen/scan-screen.tsx", "offline/device/counting-device.ts"]],
  ["/counter/logins", ["features/account/logins/own-logins-page.tsx"]],
  ["/counter", ["features/counting/dashboard/counter-dashboard.tsx", "offline/device/counting-device.ts"]],
  ["/admin/stores", ["features/stores/stores-page.tsx", guards]],
  ["/admin/locations", ["features/areas/locations-page.tsx", guards]],
  ["/admin/sessions", ["app/sessions.tsx", guards]],
  ["/admin/users", ["features/users/users-page.tsx", guards]],
  ["/admin/reports", ["features/reports/reports-page.tsx", guards]],
  ["/admin/packs", ["features/packs/packs-page.tsx", guards]],
  ["/admin/settings", ["app/settings.tsx", guards]],
  ["/admin/audit", ["features/audit/audit-page.tsx", guards]],
  ["/admin", ["app/dashboard.tsx", guards]],
];

function chunkWith(bundle: OutputBundle, module: string): OutputChunk {
  const found = chunksOf(bundle).find(({ moduleIds }) =>
    moduleIds.some((id) => id.endsWith(`/src/${module}`)),
  );
  if (found === undefined) throw new Error(`No file of the build has ${module}.`);
  return found;
}

function linksOf(chunks: readonly OutputChunk[]): string[] {
  const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  return [
    ...chunks.map(({ fileName }) => `</${fileName}>; rel=modulepreload; fetchpriority=low`),
    ...styles.map((file) => `</${file}>; rel=preload; as=style; crossorigin; fetchpriority=low`),
  ];
}

/** Of each page what it needs besides the start, in the order in which it is run. */
function chunksOfPages(bundle: OutputBundle): [address: string, chunks: OutputChunk[]][] {
  const start = closure(bundle, [chunkWith(bundle, "main.tsx")]);
  return pages.map(([address, modules]) => {
    const needed = closure(
      bundle,
      modules.map((module) => chunkWith(bundle, module)),
    );
    return [address, [...needed.values()].filter(({ fileName }) => !start.has(fileName))];
  });
}

/** For each page the value of the Link header that names, with the page's document, what it will ask for. */
function hints(bundle: OutputBundle): Record<string, string> {
  return Object.fromEntries(
    chunksOfPages(bundle).map(([address, chunks]) => [address, linksOf(chunks).join(", ")]),
  );
}

/** The same files for the page itself, which runs them piece by piece (src/app/page-files.ts); data, and no script to the content policy. */
function pageFiles(bundle: OutputBundle): string {
  const ofPages = chunksOfPages(bundle);
  const files = [...new Set(ofPages.flatMap(([, chunks]) => chunks.map(({ fileName }) => `/${fileName}`)))];
  const numbers = ofPages.map(([address, chunks]) => [
    address,
    chunks.map(({ fileName }) => files.indexOf(`/${fileName}`)),
  ]);
  return `<script type="application/json" id="page-files">${JSON.stringify({ files, pages: numbers })}</script>`;
}

const entry = /(<script type="module")/g;
/** The build's own links to what the first script imports. */
const imports = /<link rel="modulepreload" crossorigin href="([^"]*)">/g;
const stylesheets = /\n\s*<link rel="stylesheet"[^>]*>/g;

/**
 * What makes the first paint early: the page's styles come after what the body shows before any script runs, which has its
 * own; scripts wait for them as before, and are asked for behind what that paint needs. What the first script imports is run
 * by tags of its own: in one piece, a phone would be deaf for as long as all of it takes. And `page-hints.json`, from which
 * the server tells a browser with the page itself what that page will load.
 */
export function firstLoad(): Plugin {
  return {
    name: "first-load",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (bundle === undefined) throw new Error("The document is written before there are files.");
        const links = html.match(stylesheets) ?? [];
        return html
          .replace(entry, '$1 fetchpriority="low"')
          .replace(imports, '<script type="module" async fetchpriority="low" crossorigin src="$1"></script>')
          .replace(stylesheets, "")
          .replace("\n  </body>", `${links.join("")}\n    ${pageFiles(bundle)}\n  </body>`);
      },
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        this.emitFile({
          type: "asset",
          fileName: "page-hints.json",
          source: JSON.stringify(hints(bundle), null, 2),
        });
      },
    },
  };
}
