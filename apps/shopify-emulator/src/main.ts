import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Catalogue } from "./catalogue.ts";
import { startEmulator } from "./emulator.ts";
import { csvCatalogue } from "./seeds/csv.ts";
import { demoCatalogue } from "./seeds/demo.ts";
import { syntheticCatalogue } from "./seeds/synthetic.ts";

const USAGE = `A stand-in Shopify shop.

  --port N        port to listen on (default 3100; 0 for any free one)
  --host NAME     address to listen on (default 127.0.0.1)
  --url URL       the address that clients use, where it is another
  --catalog FILE  a Shopify product export, or a CSV of gtin,title,brand,category
  --variants N    a generated shop of N variants
  --state FILE    keep the stock there over restarts
`;

interface CommandLine {
  readonly port: number;
  readonly host: string;
  readonly url: string | undefined;
  readonly catalog: string | undefined;
  readonly variants: number | undefined;
  readonly state: string | undefined;
}

function wholeNumber(name: string, text: string, highest: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= highest) return value;
  throw new Error(`--${name} must be a whole number up to ${highest}, not ${text}.`);
}

function readCommandLine(args: string[]): CommandLine | "help" {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: "boolean" },
      port: { type: "string", default: "3100" },
      host: { type: "string", default: "127.0.0.1" },
      url: { type: "string" },
      catalog: { type: "string" },
      variants: { type: "string" },
      state: { type: "string" },
    },
  });
  if (values.help) return "help";
  if (values.catalog !== undefined && values.variants !== undefined) {
    throw new Error("--catalog and --variants exclude each other.");
  }
  return {
    port: wholeNumber("port", values.port, 65_535),
    host: values.host,
    url: values.url?.replace(/\/+$/, ""),
    catalog: values.catalog,
    variants: values.variants === undefined ? undefined : wholeNumber("variants", values.variants, 2_000_000),
    state: values.state,
  };
}

function readCatalogue({ catalog, variants }: CommandLine): Catalogue {
  if (variants !== undefined) return syntheticCatalogue(variants);
  if (catalog === undefined) return demoCatalogue();
  const { catalogue, notes } = csvCatalogue(readFileSync(catalog, "utf8"), basename(catalog));
  for (const { line, message } of notes) process.stderr.write(`${catalog}:${line}: ${message}\n`);
  return catalogue;
}

async function run(): Promise<void> {
  const commandLine = readCommandLine(process.argv.slice(2));
  if (commandLine === "help") {
    process.stdout.write(USAGE);
    return;
  }
  const { port, host, url, state } = commandLine;
  const emulator = await startEmulator({
    port,
    host,
    catalogue: readCatalogue(commandLine),
    ...(url !== undefined && { publicUrl: url }),
    ...(state !== undefined && { stateFile: state }),
  });
  process.stdout.write(`Shopify emulator listening on ${emulator.url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void emulator.close());
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
