import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import type { Mail } from "./mailer.ts";
import { createOutboxMailer } from "./outbox.ts";
import { createSmtpMailer, type MailTimeouts } from "./smtp-mailer.ts";
import { startListener, startMailServer } from "./testing.ts";

const logger = pino({ level: "silent" });
const from = "Stocktake <stocktake@example.com>";
const mail: Mail = {
  to: "ada@example.com",
  subject: "Your counting link for Café Nord",
  text: "Open https://count.example.com/counter/invite/abc",
  html: "<p>Open <b>it</b></p>",
  link: "https://count.example.com/counter/invite/abc",
};
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function mailServer(options: Parameters<typeof startMailServer>[0] = {}) {
  const server = await startMailServer(options);
  closing.push(server.close);
  return server;
}

async function listener(talk: Parameters<typeof startListener>[0]) {
  const server = await startListener(talk);
  closing.push(server.close);
  return server;
}

function mailerTo(url: string, timeouts?: MailTimeouts) {
  return createSmtpMailer({ url, from, logger, ...(timeouts === undefined ? {} : { timeouts }) });
}

describe("a mail server that works", () => {
  test("gets the mail with sender, recipient, subject, text and HTML", async () => {
    const server = await mailServer();
    await mailerTo(server.url).send(mail);
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toMatchObject({ from: "stocktake@example.com", to: ["ada@example.com"] });
    const { headers, body } = server.mails[0] ?? { headers: new Map(), body: "" };
    expect(headers.get("from")).toBe("Stocktake <stocktake@example.com>");
    expect(headers.get("to")).toBe("ada@example.com");
    expect(headers.get("subject")).toMatch(/^=\?UTF-8\?/);
    expect(headers.get("content-type")).toMatch(/^multipart\/alternative/);
    expect(body).toContain(mail.text);
    expect(body).toContain(mail.html);
  });

  test("is signed in to with the name and the password of the URL", async () => {
    const server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(null, username === "shop" && password === "p@ss" ? { user: "shop" } : {}),
    });
    await mailerTo(`smtp://shop:p%40ss@127.0.0.1:${server.port}`).send(mail);
    expect(server.mails).toHaveLength(1);
    await expect(mailerTo(`smtp://shop:wrong@127.0.0.1:${server.port}`).send(mail)).rejects.toMatchObject({
      code: "MAIL_FAILED",
      message: expect.stringContaining("mail settings"),
    });
  });

  test("is spoken to by TLS where the URL is smtps, and only with a certificate that holds", async () => {
    const server = await mailServer({ secure: true });
    const url = `smtps://127.0.0.1:${server.port}`;
    await expect(mailerTo(url).send(mail)).rejects.toMatchObject({ code: "MAIL_FAILED" });
    expect(server.mails).toEqual([]);
    await mailerTo(`${url}?tls.rejectUnauthorized=false`).send(mail);
    expect(server.mails[0]?.secure).toBe(true);
  });

  test("is found to answer", async () => {
    const server = await mailServer();
    expect(await mailerTo(server.url).check()).toBe(true);
  });
});

describe("header injection", () => {
  test.each([
    "Nord\r\nBcc: thief@example.com",
    "Nord\nBcc: thief@example.com",
    "Nord\rBcc: thief@example.com",
  ])("is not possible with the subject %j", async (subject) => {
    const server = await mailServer();
    await mailerTo(server.url).send({ ...mail, subject });
    expect(server.mails[0]?.to).toEqual(["ada@example.com"]);
    expect([...(server.mails[0]?.headers.keys() ?? [])]).not.toContain("bcc");
  });

  test.each(["ada@example.com, thief@example.com", "ada@example.com\r\nBcc: thief@example.com"])(
    "is not possible with the address %j",
    async (to) => {
      const server = await mailServer();
      await mailerTo(server.url)
        .send({ ...mail, to })
        .catch((error: Error) => expect(error).toMatchObject({ code: "MAIL_FAILED" }));
      const recipients = server.mails.flatMap((received) => received.to);
      expect(recipients).not.toContain("thief@example.com");
    },
  );
});

describe("a mail server that refuses", () => {
  test.each([
    ["the address for good", "nobody@example.com", "Check the address"],
    ["for now", "later@example.com", "Try again in a few minutes"],
  ])("%s is MAIL_FAILED and says what to do", async (_what, to, advice) => {
    const server = await mailServer();
    await expect(mailerTo(server.url).send({ ...mail, to })).rejects.toMatchObject({
      code: "MAIL_FAILED",
      message: expect.stringContaining(advice),
    });
    expect(server.mails).toEqual([]);
  });
});

describe("a mail server that is out of order", () => {
  const timeouts = { connectMs: 200, silenceMs: 200, wholeMs: 5000 };

  test("is MAIL_FAILED when nothing listens", async () => {
    const { url, close } = await startListener(() => undefined);
    await close();
    await expect(mailerTo(url).send(mail)).rejects.toMatchObject({
      code: "MAIL_FAILED",
      message: expect.stringContaining("can't be reached"),
    });
    expect(await mailerTo(url).check()).toBe(false);
  });

  test("is given up when it never greets", async () => {
    const { url } = await listener(() => undefined);
    await expect(mailerTo(url, timeouts).send(mail)).rejects.toMatchObject({ code: "MAIL_FAILED" });
    expect(await mailerTo(url, timeouts).check()).toBe(false);
  });

  test("is given up when it falls silent in the middle", async () => {
    const { url } = await listener((socket) => socket.write("220 here\r\n"));
    await expect(mailerTo(url, timeouts).send(mail)).rejects.toMatchObject({
      code: "MAIL_FAILED",
      message: expect.stringContaining("should its mail arrive all the same, its link does not work"),
    });
  });

  test("is given up when it talks on and on without coming to an end", async () => {
    const { url } = await listener((socket) => {
      socket.write("220 here\r\n");
      socket.once("data", () => {
        const chatter = setInterval(() => socket.write("250-more\r\n"), 20);
        socket.once("close", () => clearInterval(chatter));
      });
    });
    const hurried = { connectMs: 5000, silenceMs: 5000, wholeMs: 300 };
    await expect(mailerTo(url, hurried).send(mail)).rejects.toMatchObject({ code: "MAIL_FAILED" });
  });

  test("is MAIL_FAILED when it hangs up", async () => {
    const { url } = await listener((socket) => socket.end());
    await expect(mailerTo(url).send(mail)).rejects.toMatchObject({ code: "MAIL_FAILED" });
  });
});

test("the log of a failure names no link and no password", async () => {
  const lines: string[] = [];
  const recording = pino({ level: "trace" }, { write: (line: string) => lines.push(line) });
  const server = await mailServer();
  const url = `smtp://shop:secret-word@127.0.0.1:${server.port}`;
  const mailer = createSmtpMailer({ url, from, logger: recording });
  await expect(mailer.send({ ...mail, to: "nobody@example.com" })).rejects.toThrow();
  expect(lines).toHaveLength(1);
  expect(lines.join()).not.toContain(mail.link);
  expect(lines.join()).not.toContain("secret-word");
});

test("the outbox takes every mail and is always there", async () => {
  const outbox = createOutboxMailer();
  await outbox.send(mail);
  expect([outbox.kind, await outbox.check()]).toEqual(["outbox", true]);
});
