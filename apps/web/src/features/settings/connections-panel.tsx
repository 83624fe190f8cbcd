import { type Connections, connections } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { messages } from "./messages.ts";
import classes from "./settings.module.css";

/** What the server talks to; it changes with a restart only. */
export const connectionsQuery = queryOptions({
  queryKey: ["connections"],
  queryFn: ({ signal }) => callApi(connections, { signal }),
});

const { connections: labels } = messages;

type Fact = readonly [name: string, value: string];

/** Less than this is what a measurement by whole seconds may be off. */
const worthSayingSeconds = 2;

function clockFacts(ahead: number | null): Fact[] {
  if (ahead === null || Math.abs(ahead) <= worthSayingSeconds) return [];
  const seconds = String(Math.abs(ahead));
  return [[labels.shopClock, ahead > 0 ? labels.shopClockAhead(seconds) : labels.shopClockBehind(seconds)]];
}

function shopifyFacts(shopify: Connections["shopify"]): Fact[] {
  if (shopify === null) return [[labels.shop, labels.noShop]];
  const { shop, server, name, currency, productsReadAt, webhooks, clockAheadSeconds } = shopify;
  return [
    [labels.shop, name === null ? shop : `${name} (${shop})`],
    ...(server === shop ? [] : [[labels.shopServer, server] as const]),
    [labels.currency, currency ?? labels.notYet],
    [labels.productsRead, productsReadAt === null ? labels.notYet : dateTimeText(productsReadAt)],
    [labels.webhooks, webhooks ? labels.webhooksOn : labels.webhooksOff],
    ...clockFacts(clockAheadSeconds),
  ];
}

function factsOf({ database, shopify, mail, address }: Connections): Fact[] {
  const server = database.name ?? labels.unnamedDatabase;
  return [
    [labels.database, database.kind === "embedded" ? labels.embedded : server],
    ...shopifyFacts(shopify),
    [labels.mail, mail === null ? labels.outbox : mail.server],
    ...(mail === null ? [] : [[labels.mailFrom, mail.from] as const]),
    [labels.address, address ?? labels.anyAddress],
  ];
}

/** What the server talks to, by name. */
export function ConnectionsPanel() {
  return (
    <Loaded query={useQuery(connectionsQuery)} fallback={messages.healthFailed}>
      {(connections) => (
        <dl className={classes.facts}>
          {factsOf(connections).map(([name, value]) => (
            <div key={name} style={{ display: "contents" }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  );
}
