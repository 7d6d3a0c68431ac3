/** Profiles of the thread that this runs in, as the developer tools of browsers read them. */
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROFILE_SAMPLE_BYTES } from '../limits.ts';

export const PROFILE_KINDS = ['profile', 'heap'] as const;
/** Where time goes; or who allocates what is still there at the end. */
export type ProfileKind = (typeof PROFILE_KINDS)[number];

/** Gives a `.cpuprofile` or a `.heapprofile`. */
export async function profileOf(kind: ProfileKind, seconds: number): Promise<string> {
  const session = new Session();
  session.connect();
  try {
    return JSON.stringify(await (kind === 'heap' ? heap : cpu)(session, seconds));
  } finally {
    session.disconnect();
  }
}

async function cpu(session: Session, seconds: number): Promise<object> {
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await sleep(seconds * 1_000);
  const { profile } = await session.post('Profiler.stop');
  return profile;
}

async function heap(session: Session, seconds: number): Promise<object> {
  await session.post('HeapProfiler.enable');
  await session.post('HeapProfiler.startSampling', { samplingInterval: PROFILE_SAMPLE_BYTES });
  await sleep(seconds * 1_000);
  const { profile } = await session.post('HeapProfiler.stopSampling');
  return profile;
}
