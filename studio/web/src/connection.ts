// The WebSocket to the server: decodes messages and reconnects after a loss.

import { decode, encode } from "@msgpack/msgpack";

export type Link = "connecting" | "open" | "lost";

/** Where messages of the kind `Out` go: the server of the studio, or a simulation in the page itself. */
export interface Server<Out> {
  send(message: Out): void;
}

const RETRY_MS = 1000;

/** Connection that receives messages of the kind `In` and sends those of the kind `Out`. */
export class Connection<In, Out> implements Server<Out> {
  private socket: WebSocket | null = null;
  private wasOpen = false;

  constructor(
    private readonly onMessage: (message: In) => void,
    private readonly onLink: (link: Link) => void,
  ) {
    this.open();
  }

  send(message: Out): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(encode(message));
  }

  private open(): void {
    const url = new URL("ws", document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wasOpen = true;
      this.onLink("open");
    };
    socket.onmessage = (event) => this.onMessage(decode(event.data as ArrayBuffer) as In);
    socket.onclose = () => {
      this.onLink(this.wasOpen ? "lost" : "connecting");
      setTimeout(() => this.open(), RETRY_MS);
    };
    this.socket = socket;
  }
}
