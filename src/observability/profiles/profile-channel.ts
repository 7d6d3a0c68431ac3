/**
 * Asks another thread for a profile, by a channel that all threads of the process listen to. The
 * profile goes back in shared memory, since a copy would come to each of them.
 */
import { PROFILE_GRACE_MS } from '../limits.ts';
import { COUNTERS, type SharedMetrics } from '../metrics/metric-store.ts';
import { profileOf, type ProfileKind } from './profile.ts';

const CHANNEL = 'shardplane-profiles';

interface Asked {
  readonly to: string;
  readonly id: string;
  readonly kind: ProfileKind;
  readonly seconds: number;
}

interface Answered {
  readonly answers: string;
  /** UTF-8. */
  readonly profile?: SharedArrayBuffer;
  readonly error?: string;
}

/** Another profile is being made. */
export class ProfilerBusy extends Error {
  override readonly name = 'ProfilerBusy';
}

/** From now on profiles of this thread can be asked for. */
export function answerProfiles(thread: string): void {
  const channel = listen((asked) => {
    if (!('to' in asked) || asked.to !== thread) return;
    const { id: answers, kind, seconds } = asked;
    profileOf(kind, seconds).then(
      (text) => channel.postMessage({ answers, profile: sharedText(text) } satisfies Answered),
      (error: unknown) => {
        channel.postMessage({ answers, error: (error as Error).message } satisfies Answered);
      },
    );
  });
}

/**
 * Makes a profile of a thread, one at a time in all of the process. Rejects with ProfilerBusy, and
 * where the thread does not answer.
 */
export async function profileOfThread(
  { counters }: SharedMetrics,
  { to, id, kind, seconds }: Asked,
): Promise<Uint8Array> {
  const { isProfiling } = COUNTERS;
  if (Atomics.compareExchange(counters, isProfiling, 0, 1) !== 0) {
    throw new ProfilerBusy('another profile is being made');
  }
  try {
    return await answered({ to, id, kind, seconds });
  } finally {
    Atomics.store(counters, isProfiling, 0);
  }
}

function answered(asked: Asked): Promise<Uint8Array> {
  return new Promise<Uint8Array>((resolve, reject) => {
    const channel = listen((answer) => {
      if (!('answers' in answer) || answer.answers !== asked.id) return;
      end();
      const { profile, error } = answer;
      if (profile === undefined) reject(new Error(`no profile of ${asked.to}: ${error}`));
      else resolve(new Uint8Array(profile).slice());
    });
    const late = setTimeout(
      () => {
        end();
        reject(new Error(`no profile of ${asked.to}: it does not answer`));
      },
      asked.seconds * 1_000 + PROFILE_GRACE_MS,
    ).unref();
    const end = (): void => {
      clearTimeout(late);
      channel.close();
    };
    channel.postMessage(asked);
  });
}

type Channel = InstanceType<typeof BroadcastChannel>;

/** It keeps no thread alive. */
function listen(onMessage: (message: Asked | Answered) => void): Channel {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event) => onMessage((event as { data: Asked | Answered }).data);
  channel.unref();
  return channel;
}

function sharedText(text: string): SharedArrayBuffer {
  const bytes = Buffer.from(text);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}
