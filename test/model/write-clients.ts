/** Clients that write, and note what they sent and what they were answered. */
import { kindOf } from './custom-kinds.ts';
import { objectPath } from '../support/kinds.ts';
import type { Random } from '../support/random.ts';
import type { Answer } from '../support/server.ts';
import { COMPRESSED_BYTES_MIN } from '../../src/limits.ts';
import {
  APPS,
  BULK_NAMES,
  BULK_NAMESPACE,
  NAMES,
  NAMESPACES,
  pause,
  randomScope,
  repeat,
  TYPES,
} from './live-run.ts';
import type { LiveRun } from './live-run.ts';
import { list } from './read-clients.ts';
import { refusedBy } from './governed.ts';
import { observe } from './records.ts';
import type { Observed, Outcome, WriteRecord } from './records.ts';
import { askedOf, httpRequestOf, PATCHES } from './write-requests.ts';
import type { WriteRequest } from './write-requests.ts';

const SMALL_BYTES = 100;
/** The store compresses these. */
const LONG_BYTES = COMPRESSED_BYTES_MIN;
const BULK_BYTES = 500_000;
const BULK_BURST = 28;
const LISTS_AHEAD_MAX = 20;
/** The managers in whose names clients apply. */
const MANAGERS = ['one', 'two'] as const;
const NOTES = ['a', 'b'] as const;

/** One write from its start to its answer; returns the object in the answer. */
export async function write(run: LiveRun, request: WriteRequest): Promise<Observed | undefined> {
  const { type, verb, namespace, name } = request;
  const stamp = verb === 'delete' ? '' : run.newStamp();
  const { method, path, body, headers } = httpRequestOf(request, stamp);
  const key = `${namespace}/${name}`;
  const start = run.now();
  const answer = await run.ask(method, path, body, headers);
  const end = run.now();
  const code = answer?.status ?? 0;
  const result = resultOf(answer);
  run.record({
    record: 'write',
    ...askedOf(request, stamp),
    key,
    start,
    end,
    code,
    outcome: outcomeOf(code),
    ...(code === 403 && { refusedBy: refusedBy(answer?.json?.message ?? '') }),
    ...result,
  });
  believe(run, `${type} ${key}`, code, result);
  return result.answer;
}

export function outcomeOf(code: number): Outcome {
  // An answer of 5xx does not say whether the write will be there.
  if (code === 0 || code >= 500) return 'unknown';
  return code < 300 ? 'acknowledged' : 'refused';
}

/** Deletes are answered with a Status that names the uid, held ones and updates with objects. */
function resultOf(answer: Answer | undefined): Pick<WriteRecord, 'answer' | 'endedUid'> {
  if (answer === undefined || answer.status >= 300) return {};
  const { json } = answer;
  if (json.kind === 'Status') return { endedUid: json.details.uid };
  const object = observe(json);
  // An update that ended the object is answered with its old version.
  return object.terminating && !object.held ? { endedUid: object.uid } : { answer: object };
}

function believe(
  run: LiveRun,
  id: string,
  code: number,
  { answer, endedUid }: Pick<WriteRecord, 'answer' | 'endedUid'>,
): void {
  if (answer !== undefined) {
    run.believed.set(id, answer);
    run.saw(answer.version, true);
  } else if (endedUid !== undefined || code === 404) {
    run.believed.delete(id);
  }
}

/** Writes small objects of all types under few names, one after the other. */
export async function writer(run: LiveRun, random: Random): Promise<void> {
  await repeat(run, async () => {
    const type = random.pick(TYPES);
    const namespace = random.pick(NAMESPACES);
    const name = random.pick(NAMES);
    const [verb, condition, held, label] = [0, 0, 0, 0].map(() => random.fraction());
    const app = random.pick(APPS);
    const [patch, manager, note] = [
      random.pick(PATCHES),
      random.pick(MANAGERS),
      random.fraction() < 0.8 ? random.pick(NOTES) : '',
    ];
    const force = random.fraction() < 0.5;
    const old = run.oldVersion(random);
    const believed = run.believed.get(`${type} ${namespace}/${name}`);
    const isBlind = verb! < 0.05;
    const isThere = believed !== undefined ? !isBlind : isBlind;
    const isPatch = isThere ? verb! >= 0.5 : verb! < 0.3;
    const isConditional = isPatch
      ? condition! < 0.3
      : type === 'Lease' || type === 'Widget' || condition! < 0.5;
    const plain = !isThere ? 'create' : verb! < 0.3 ? 'delete' : 'update';
    const isApply = isPatch && patch === 'apply';
    await write(run, {
      type,
      namespace,
      name,
      fillerBytes: random.fraction() < 0.5 ? SMALL_BYTES : LONG_BYTES,
      verb: isPatch ? patch : plain,
      patch: { manager, force, note },
      app: label! < 0.2 && !isApply ? '' : app,
      held: held! < 0.12,
      expects: !isThere || !isConditional ? 0 : condition! < 0.08 ? old : (believed?.version ?? 0),
    });
    await pause(run, random.below(12));
  });
}

/** Deletes whole collections by selector now and then. */
export async function sweeper(run: LiveRun, random: Random): Promise<void> {
  await repeat(run, async () => {
    await pause(run, 100 + random.below(300));
    await run.whenUp();
    const type = random.pick(TYPES);
    const scope = { ...randomScope(random, type), namespace: random.pick(NAMESPACES) };
    const start = run.now();
    const answer = await run.ask('DELETE', run.scopePath(type, scope, []));
    const [end, code] = [run.now(), answer?.status ?? 0];
    const outcome = outcomeOf(code);
    run.record({ record: 'deletecollection', type, scope, start, end, code, outcome });
  });
}

/** Fills the rings and the sockets of those who watch the namespace of large objects. */
export async function bulkWriter(run: LiveRun, random: Random): Promise<void> {
  await repeat(run, async () => {
    await pause(run, random.below(300));
    const half = async (name: string): Promise<void> => {
      for (let at = 0; at < BULK_BURST / 2 && !run.isFinishing; at++) {
        await run.whenUp();
        const isThere = run.believed.has(`ConfigMap ${BULK_NAMESPACE}/${name}`);
        await write(run, {
          type: 'ConfigMap',
          namespace: BULK_NAMESPACE,
          name,
          held: false,
          expects: 0,
          verb: isThere ? 'update' : 'create',
          app: random.pick(APPS),
          fillerBytes: BULK_BYTES,
        });
        run.bulkBytes += BULK_BYTES;
      }
    };
    await Promise.all(BULK_NAMES.map(half));
  });
}

/** The last writes to one object, in order. */
export interface LastWrites {
  readonly type: string;
  readonly written: readonly Observed[];
}

/** Writes every object with every label once more, so that each watch has something to see. */
export async function writeLast(run: LiveRun): Promise<LastWrites[]> {
  const small = TYPES.flatMap((type) =>
    NAMESPACES.flatMap((namespace) => NAMES.map((name) => ({ type, namespace, name }))),
  );
  const large = BULK_NAMES.map((name) => {
    return { type: 'ConfigMap', namespace: BULK_NAMESPACE, name };
  });
  return Promise.all(
    [...small, ...large].map(async ({ type, namespace, name }) => {
      return { type, written: await writeEveryLabel(run, type, namespace, name) };
    }),
  );
}

/**
 * Writes large objects and lists another type until a list shows the version of one that is still
 * on its way to the disk: a crash right then must not give that version out again.
 */
export async function lookAhead(run: LiveRun, random: Random): Promise<void> {
  for (const name of [...BULK_NAMES, ...BULK_NAMES]) {
    const isThere = run.believed.has(`ConfigMap ${BULK_NAMESPACE}/${name}`);
    // Not waited for: most of them are cut off, and recorded as that.
    void write(run, {
      type: 'ConfigMap',
      namespace: BULK_NAMESPACE,
      name,
      verb: isThere ? 'update' : 'create',
      app: random.pick(APPS),
      held: false,
      expects: 0,
      fillerBytes: BULK_BYTES,
    });
  }
  const request = { type: 'Lease', scope: { namespace: 'n1' }, asked: '', match: '' } as const;
  for (let attempt = 0; attempt < LISTS_AHEAD_MAX; attempt++) {
    const shown = await list(run, { ...request, limit: 0 });
    if ((shown?.pages[0]?.version ?? 0) > run.highestChange) return;
  }
}

async function writeEveryLabel(
  run: LiveRun,
  type: string,
  namespace: string,
  name: string,
): Promise<Observed[]> {
  const written: Observed[] = [];
  for (const app of [...APPS, '']) {
    // A terminating object ends by the first update, or comes anew by the second attempt.
    for (let attempt = 0; attempt < 4; attempt++) {
      const { status, json } = await run.server.get(objectPath(kindOf(type), name, namespace));
      const answer = await write(run, {
        type,
        namespace,
        name,
        app,
        held: false,
        fillerBytes: SMALL_BYTES,
        verb: status === 200 ? 'update' : 'create',
        expects: status === 200 ? Number(json.metadata.resourceVersion) : 0,
      });
      if (answer === undefined) continue;
      written.push(answer);
      break;
    }
    // A quota lets it be made no more.
    if (written.length === 0) break;
  }
  return written;
}
