import * as contract from "@stocktake/contract";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { stillAuthRoutes } from "../auth/testing/factor-scene.ts";
import { watchGuessing } from "../auth/watch-guessing.ts";
import { createSmtpMailer } from "../mail/smtp-mailer.ts";
import { startMailServer, type TestMailServer } from "../mail/testing.ts";
import type { TestApi } from "../testing/test-api.ts";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { userRoutes } from "../users/routes.ts";
import { noticeRoutes } from "./routes.ts";
import { sendNotices } from "./send-notices.ts";

export const logger = pino({ level: "silent" });
export const config = {
  publicUrl: new URL("https://count.example.com"),
  adminEmail: "owner@example.com",
  trustProxy: true,
};

/** A server with a mail server, where nobody has guessed and nothing was noticed, anew for each test of a file. */
export class NoticeScene {
  server!: TestServer;
  admin!: TestApi;
  mailServer!: TestMailServer;

  constructor() {
    beforeAll(async () => {
      this.server = await startTestServer({ slices: [stillAuthRoutes, userRoutes, noticeRoutes], config });
    });
    afterAll(() => this.server.close());
    beforeEach(async () => {
      this.mailServer = await startMailServer();
      this.admin = this.server.as(tokenOf((await this.signIn(adminPassword)).headers));
      await this.query("delete from failed_logins; delete from notices");
    });
    afterEach(() => this.mailServer.close());
  }

  readonly query = (text: string) => this.server.database.pool.query(text);

  /** Does what the schedule does each minute, and returns the mails that came. */
  readonly mailsSent = async () => {
    const mailer = createSmtpMailer({ url: this.mailServer.url, from: "stocktake@example.com", logger });
    await sendNotices({ ...this.server.context, mailer });
    return this.mailServer.mails.splice(0);
  };

  readonly subjectsSent = async () => (await this.mailsSent()).map(({ headers }) => headers.get("subject"));

  readonly signIn = (password: string, headers: Record<string, string> = {}) => {
    const ofABrowser = { origin: config.publicUrl.origin, ...headers };
    return this.server.stranger.send(contract.adminLogin, { body: { password } }, ofABrowser);
  };

  readonly markIn = ({ headers }: { headers: Headers }): string =>
    headers.getSetCookie().find((text) => text.startsWith("stocktake_device=")) ?? "";

  readonly noticed = async () => {
    const { notices, furtherNotices = [] } = await this.admin.call(contract.listNotices, {});
    return [...notices, ...furtherNotices];
  };

  private readonly watch = () =>
    watchGuessing(this.server.database.database, { login: "admin", browser: null }, logger);

  /** Wrong passwords of strangers, and what is done after each. */
  readonly guess = async (times: number, from = "203.0.113.") => {
    await this.query(`insert into failed_logins (kind, account, address)
      select 'admin', 'x', '${from}' || number % 7 from generate_series(1, ${times}) number`);
    await this.watch();
  };
}
