/** Tells all threads what a changed file says. */

type Message<Told> =
  | { readonly told: Told }
  /** A thread that has begun with what the file was at the start asks for what it is now. */
  | { readonly isAsking: true };

type Port = Pick<InstanceType<typeof BroadcastChannel>, 'postMessage'>;

/** `what` names it in all threads. */
export class ConfigurationChannel<Told> {
  readonly #name: string;

  constructor(what: 'authentication' | 'authorization' | `admission-${string}`) {
    this.#name = `shardplane-${what}`;
  }

  /** From now on `take` gets what the file says, each time that it has changed. */
  follow(take: (told: Told) => void): void {
    const port = this.#listen((message) => {
      if ('told' in message) take(message.told);
    });
    port.postMessage({ isAsking: true } satisfies Message<Told>);
  }

  /** Gives what tells them, those too that ask later. */
  teller(): (told: Told) => void {
    let last: Message<Told> | undefined;
    const port = this.#listen((message) => {
      if ('isAsking' in message && last !== undefined) port.postMessage(last);
    });
    return (told) => {
      last = { told };
      port.postMessage(last);
    };
  }

  #listen(onMessage: (message: Message<Told>) => void): Port {
    const channel = new BroadcastChannel(this.#name);
    channel.onmessage = (event) => onMessage((event as { data: Message<Told> }).data);
    channel.unref();
    return channel;
  }
}
