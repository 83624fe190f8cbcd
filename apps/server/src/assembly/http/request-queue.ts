import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** No browser and no proxy of today sends a request before it has the previous response; a few are forgiven. */
const waitingPerConnection = 4;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests of one connection, one at a time. */
class ConnectionQueue {
  private readonly waiting: Waiting[] = [];
  private isBusy = false;
  private readonly socket: Socket;
  private readonly handle: RequestListener;

  constructor(socket: Socket, handle: RequestListener) {
    this.socket = socket;
    this.handle = handle;
  }

  add(next: Waiting): void {
    // What was read together with the request that ended the connection still arrives here.
    if (this.socket.destroyed) return;
    if (!this.isBusy) this.begin(next);
    else if (this.waiting.length < waitingPerConnection) this.waiting.push(next);
    else this.socket.destroy();
  }

  private begin({ request, response }: Waiting): void {
    this.isBusy = true;
    response.once("close", () => {
      this.isBusy = false;
      const next = this.waiting.shift();
      if (next !== undefined && !this.socket.destroyed) this.begin(next);
    });
    this.handle(request, response);
  }
}

/**
 * Passes on the requests of a connection one at a time: the next begins when the previous response has been sent. By itself Node
 * begins every request that a client writes without reading, opens a file for each, and forgets all of them but the first when
 * the connection closes. A connection with more than a few requests waiting is ended.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, ConnectionQueue>();
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? new ConnectionQueue(socket, handle);
    queues.set(socket, queue);
    queue.add({ request, response });
  };
}
