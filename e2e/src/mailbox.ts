import { once } from "node:events";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** A real mail server that keeps what it takes. */
export interface Mailbox {
  readonly url: string;
  /** The link of the newest mail to this address. Waits until there is one. */
  linkFor(address: string): Promise<string>;
  close(): Promise<void>;
}

interface Mail {
  readonly to: readonly string[];
  readonly source: string;
}

/** Quoted-printable breaks long lines with "="; a link is whole again once they are joined. */
function linkIn(source: string): string | null {
  const joined = source.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
  return /https?:\/\/[^\s"<>]+\/counter\/invite\/[\w-]+/.exec(joined)?.[0] ?? null;
}

/** Starts a mail server on a free port of the loopback. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  const arrivals = new EventTarget();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      void text(stream).then((source) => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source });
        arrivals.dispatchEvent(new Event("mail"));
        done();
      }, done);
    },
  });
  // A server that is killed while it sends is part of what the tests do.
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    linkFor: async (recipient) => {
      for (;;) {
        const mail = mails.findLast(({ to }) => to.includes(recipient));
        const link = mail === undefined ? null : linkIn(mail.source);
        if (link !== null) return link;
        await once(arrivals, "mail");
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
