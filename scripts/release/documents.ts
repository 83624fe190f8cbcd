import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What an operator reads, with all that it links to. Pictures and what is written from the specification are for the repository. */
function isPacked(name: string): boolean {
  return (
    /^(?:decisions\/)?[\w.-]+\.md$/.test(name) || ["grafana-dashboard.json", "growth.svg"].includes(name)
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/** Copies the project's documents, and the files of deploy/ that they name, into an archive's folder. */
export function copyDocuments(project: string, home: string): void {
  const docs = join(project, "docs");
  for (const name of filesIn(docs).filter(isPacked)) cpSync(join(docs, name), join(home, "docs", name));
  cpSync(join(project, "deploy"), join(home, "deploy"), { recursive: true });
}

/** Links of an archive's documents to files that are not in it, each behind the page that it is on. */
export function deadLinksIn(home: string): string[] {
  const pages = filesIn(join(home, "docs")).filter((name) => name.endsWith(".md"));
  return pages.toSorted().flatMap((name) => {
    const page = join("docs", name);
    const links = readFileSync(join(home, page), "utf8").matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g);
    const files = Array.from(links, ([, file = ""]) => file);
    return files
      .filter((file) => !existsSync(join(home, dirname(page), file)))
      .map((file) => `${page}: ${file}`);
  });
}
