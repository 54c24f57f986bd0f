// Events with listeners: the state of every page tells its panels and its scene what has changed.

type Listener<Event> = (event: Event) => void;

/** Base of objects with the events `Events`: names, and what each tells. */
export class Emitter<Events> {
  private readonly listeners: { [K in keyof Events]?: Listener<Events[K]>[] } = {};

  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): void {
    (this.listeners[name] ??= []).push(listener);
  }

  protected emit<K extends keyof Events>(name: K, event: Events[K]): void {
    for (const listener of this.listeners[name] ?? []) listener(event);
  }
}
