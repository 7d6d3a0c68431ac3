/** Tells all threads whom a changed file of `--authorization-config` names. */
import type { ChainedAuthorizer } from '../authorizers.ts';

const CHANNEL = 'shardplane-authorization';

type Message =
  | { readonly chain: readonly ChainedAuthorizer[] }
  /** A thread that has begun with what the file was at the start asks for what it is now. */
  | { readonly isAsking: true };

/** From now on `take` gets what the file says, each time that it has changed. */
export function followConfiguration(take: (chain: readonly ChainedAuthorizer[]) => void): void {
  const channel = listen((message) => {
    if ('chain' in message) take(message.chain);
  });
  channel.postMessage({ isAsking: true } satisfies Message);
}

/** Gives what tells them, those too that ask later. */
export function configurationTeller(): (chain: readonly ChainedAuthorizer[]) => void {
  let told: readonly ChainedAuthorizer[] | undefined;
  const channel = listen((message) => {
    if ('isAsking' in message && told !== undefined) tell(told);
  });
  const tell = (chain: readonly ChainedAuthorizer[]): void => {
    told = chain;
    channel.postMessage({ chain } satisfies Message);
  };
  return tell;
}

type Channel = Pick<InstanceType<typeof BroadcastChannel>, 'postMessage'>;

function listen(onMessage: (message: Message) => void): Channel {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event) => onMessage((event as { data: Message }).data);
  channel.unref();
  return channel;
}
