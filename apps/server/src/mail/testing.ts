import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  /** Header lines by lower-case name, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  /** Everything after the headers, its quoted-printable parts decoded. */
  readonly body: string;
}

export interface TestMailServer {
  readonly port: number;
  readonly url: string;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

/** A real mail server on a free port. It refuses recipients called "nobody" for good, and those called "later" for now. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onRcptTo: ({ address }, _session, done) => done(refusalFor(address)),
    onData: (stream, { envelope, secure }, done) => {
      void text(stream).then((source) => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), secure, ...parse(source) });
        done();
      }, done);
    },
    ...options,
  });
  // A client that goes away in the middle is part of what the tests do.
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const port = portOf(listening);
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, url: `smtp://127.0.0.1:${port}`, mails, close };
}

function refusalFor(address: string): Error | null {
  if (address.startsWith("nobody")) return Object.assign(new Error("No such mailbox"), { responseCode: 550 });
  if (address.startsWith("later")) return Object.assign(new Error("Try later"), { responseCode: 451 });
  return null;
}

function parse(source: string): Pick<ReceivedMail, "headers" | "body"> {
  const end = source.indexOf("\r\n\r\n");
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: new Map(headers), body: decoded(source.slice(end + 4)) };
}

function decoded(body: string): string {
  return body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Something that takes connections and passes each to `talk`; for mail servers that are out of order. */
export async function startListener(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    talk(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return { url: `smtp://127.0.0.1:${portOf(server)}`, close };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server does not listen on a port.");
  return address.port;
}
