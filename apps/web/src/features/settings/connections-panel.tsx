import type { Connections } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { connectionsQuery } from "./api.ts";
import classes from "./settings.module.css";
import { texts } from "./texts.ts";

const { connections: words } = texts;

type Fact = readonly [name: string, value: string];

function shopifyFacts(shopify: Connections["shopify"]): Fact[] {
  if (shopify === null) return [[words.shop, words.noShop]];
  const { shop, server, name, currency, productsReadAt, webhooks } = shopify;
  return [
    [words.shop, name === null ? shop : `${name} (${shop})`],
    ...(server === shop ? [] : [[words.shopServer, server] as const]),
    [words.currency, currency ?? words.notYet],
    [words.productsRead, productsReadAt === null ? words.notYet : dateTimeText(productsReadAt)],
    [words.webhooks, webhooks ? words.webhooksOn : words.webhooksOff],
  ];
}

function factsOf({ database, shopify, mail, address }: Connections): Fact[] {
  const server = database.name ?? words.unnamedDatabase;
  return [
    [words.database, database.kind === "embedded" ? words.embedded : server],
    ...shopifyFacts(shopify),
    [words.mail, mail === null ? words.outbox : mail.server],
    ...(mail === null ? [] : [[words.mailFrom, mail.from] as const]),
    [words.address, address ?? words.anyAddress],
  ];
}

/** What the server talks to, by name. */
export function ConnectionsPanel() {
  const { data, error, refetch } = useQuery(connectionsQuery);
  if (error !== null) return <ErrorBox error={error} fallback={texts.healthFailed} onRetry={refetch} />;
  if (data === undefined) return <LoadingState />;
  return (
    <dl className={classes.facts}>
      {factsOf(data).map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
