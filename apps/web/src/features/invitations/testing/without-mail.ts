import type { Health } from "@stocktake/contract";

const ok = { status: "ok", message: "" } as const;

/** How a server is that works and has no mail server. */
export const withoutMail: Health = {
  ...{ status: "ok", database: ok, shopify: ok, sync: ok },
  ...{ demo: false, version: "1.0.0", epoch: "epoch-1" },
  mail: { status: "not_configured", message: "Mails are kept in the outbox." },
};
