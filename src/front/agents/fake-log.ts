/** The log of a container on a fake node (src/controllers/README.md#fake-nodes). */
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { serverNowMs } from '../../base/time/server-clock.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';

/** What the containers of a pod have said. */
const LOG = 'shardplane.io/log';
const FOLLOW_MS = 500;
const NANOS_OF_SECOND = '.000000000';

export interface FakePod {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string; readonly startTime?: string };
}

/** `parameters` are those for an agent; `podNow` rejects once the pod is gone. */
export function fakeLog(
  pod: FakePod,
  container: string,
  parameters: string,
  podNow: () => Promise<FakePod>,
): Readable {
  const query = new URLSearchParams(parameters);
  const said = Buffer.from(shown(linesOf(pod, container), pod, query));
  const limit = query.get('limitBytes');
  const text = limit === null ? said : said.subarray(0, Number(limit));
  const follows = query.get('follow') === 'true';
  const parts = follows ? followed(text, pod, podNow, () => log.destroyed) : whole(text);
  const log: Readable = Readable.from(parts, { objectMode: false });
  return log;
}

export function linesOf({ metadata, spec }: FakePod, container: string): readonly string[] {
  const said = metadata.annotations?.[LOG];
  const { namespace, name } = metadata;
  const text = said ?? `${container} of ${namespace}/${name} runs on ${spec?.nodeName}`;
  return text.replace(/\n$/, '').split('\n');
}

function shown(lines: readonly string[], { status }: FakePod, query: URLSearchParams): string {
  // All was said when it started.
  const startedMs = Date.parse(status?.startTime ?? '');
  const seconds = query.get('sinceSeconds');
  const sinceMs =
    seconds === null
      ? Date.parse(query.get('sinceTime') ?? '')
      : serverNowMs() - Number(seconds) * 1_000;
  if (sinceMs > startedMs || query.get('stream') === 'Stderr') return '';
  const tail = query.get('tailLines');
  const last = tail === null ? lines : lines.slice(Math.max(0, lines.length - Number(tail)));
  const time = (status?.startTime ?? '').replace(/Z$/, `${NANOS_OF_SECOND}Z`);
  const prefix = query.get('timestamps') === 'true' ? `${time} ` : '';
  return last.map((line) => `${prefix}${line}\n`).join('');
}

function* whole(text: Buffer): Generator<Buffer> {
  if (text.length > 0) yield text;
}

async function* followed(
  text: Buffer,
  pod: FakePod,
  podNow: () => Promise<FakePod>,
  isOver: () => boolean,
): AsyncGenerator<Buffer> {
  yield* whole(text);
  await whenEnded(pod, podNow, isOver);
}

/** Resolves when the pod has ended or is gone, or nobody waits for that any more. */
export async function whenEnded(
  { metadata }: FakePod,
  podNow: () => Promise<FakePod>,
  isOver: () => boolean,
): Promise<void> {
  for (;;) {
    await pause(FOLLOW_MS, undefined, { ref: false });
    if (isOver()) return;
    const now = await podNow().catch(() => undefined);
    if (now?.metadata.uid !== metadata.uid) return;
    if (now?.status?.phase === 'Succeeded' || now?.status?.phase === 'Failed') return;
  }
}
