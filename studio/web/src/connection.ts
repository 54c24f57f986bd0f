// The WebSocket to the server: decodes messages and reconnects after a loss.

import { decode, encode } from "@msgpack/msgpack";
import type { FromClient, FromServer } from "./messages";

export type Link = "connecting" | "open" | "lost";

/** Where messages of the page go: the server of the studio, or a simulation in the page itself. */
export interface Server {
  send(message: FromClient): void;
}
export type Connect = (onMessage: (message: FromServer) => void, onLink: (link: Link) => void) => Server;

const RETRY_MS = 1000;

export class Connection implements Server {
  private socket: WebSocket | null = null;
  private wasOpen = false;

  constructor(
    private readonly onMessage: (message: FromServer) => void,
    private readonly onLink: (link: Link) => void,
  ) {
    this.open();
  }

  send(message: FromClient): void {
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
    socket.onmessage = (event) => this.onMessage(decode(event.data as ArrayBuffer) as FromServer);
    socket.onclose = () => {
      this.onLink(this.wasOpen ? "lost" : "connecting");
      setTimeout(() => this.open(), RETRY_MS);
    };
    this.socket = socket;
  }
}
