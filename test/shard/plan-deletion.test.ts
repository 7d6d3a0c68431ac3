// A deletion depends on kind, state and options.
import t from 'tap';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import type { ApiObject, KindDefinition } from '../../src/resources/kind.ts';
import { planDeletion } from '../../src/shard/write/plan-deletion.ts';

const NOW_MS = Date.UTC(2024, 0, 1, 12);
const NOW = '2024-01-01T12:00:00Z';
const GRACEFUL: KindDefinition = {
  ...CONFIG_MAP,
  gracePeriodSeconds: (_object, requested) => requested ?? 30,
};
const ORPHANS: KindDefinition = { ...CONFIG_MAP, defaultPropagation: 'Orphan' };
const NO_DEPENDENTS: KindDefinition = { ...CONFIG_MAP, defaultPropagation: 'none' };

interface Options {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
}

function plan(
  definition: KindDefinition,
  metadata: object,
  options: Options = {},
  members: object = {},
) {
  const wanted = {
    gracePeriodSeconds: options.gracePeriodSeconds,
    orphanDependents: options.orphanDependents,
    propagationPolicy: options.propagationPolicy ?? '',
  };
  const stored = { metadata: { name: 'a', ...metadata }, ...members } as ApiObject;
  const before = JSON.stringify(stored);
  const { defaultPropagation } = definition;
  const planned = planDeletion({ definition, defaultPropagation }, stored, wanted, NOW_MS);
  t.equal(JSON.stringify(stored), before, 'the stored object is left as it is');
  return planned;
}

/** Gives the written metadata besides the name; undefined when nothing is written. */
function written(definition: KindDefinition, metadata: object, options?: Options) {
  const { updated, removes } = plan(definition, metadata, options);
  if (updated === undefined) return { removes };
  const { name: _name, ...rest } = updated.metadata;
  return { ...JSON.parse(JSON.stringify(rest)), removes };
}

const TERMINATING = { deletionTimestamp: NOW, deletionGracePeriodSeconds: 0 };

t.test('nothing holds it: it is removed without being written first', async (t) => {
  t.same(written(CONFIG_MAP, {}), { removes: true });
  t.same(written(CONFIG_MAP, {}, { propagationPolicy: 'Background' }), { removes: true });
  t.same(written(CONFIG_MAP, {}, { orphanDependents: false }), { removes: true });
  t.same(written(CONFIG_MAP, { ...TERMINATING, finalizers: [] }), { removes: true });
});

t.test('finalizers hold it', async (t) => {
  const finalizers = ['example.com/hold'];
  const held = { ...TERMINATING, finalizers, removes: false };
  t.same(written(CONFIG_MAP, { finalizers }), held);
  t.same(written(CONFIG_MAP, { finalizers, generation: 3 }), { ...held, generation: 4 });
  const again = {
    ...TERMINATING,
    finalizers,
    generation: 4,
    deletionTimestamp: '2023-01-01T00:00:00Z',
  };
  t.same(written(CONFIG_MAP, again), { ...again, removes: false }, 'once, and counted once');
});

t.test('a namespace is marked first, and stays while its spec has finalizers', async (t) => {
  const ends = { deletionTimestamp: NOW };
  t.same(written(NAMESPACE, {}), { ...ends, removes: false }, 'without a grace period');
  const foreground = { ...ends, finalizers: ['foregroundDeletion'], removes: false };
  t.same(written(NAMESPACE, {}, { propagationPolicy: 'Foreground' }), foreground);
  t.same(written(NAMESPACE, {}, { orphanDependents: false }), foreground);
  const orphan = { ...foreground, finalizers: ['orphan'] };
  t.same(written(NAMESPACE, {}, { orphanDependents: true }), orphan);
  t.match(plan(NAMESPACE, {}).updated, { status: { phase: 'Terminating' } });
  const spec = { finalizers: ['cluster'] };
  const options = { propagationPolicy: 'Foreground' };
  t.same(plan(NAMESPACE, ends, options, { spec }), { updated: undefined, removes: false });
  t.same(plan(NAMESPACE, ends), { updated: undefined, removes: true });
});

t.test('the propagation policy adds and removes the finalizers of the collector', async (t) => {
  const cases: [definition: KindDefinition, before: string[], options: Options, after: string[]][] =
    [
      [CONFIG_MAP, [], { propagationPolicy: 'Orphan' }, ['orphan']],
      [CONFIG_MAP, [], { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
      [CONFIG_MAP, [], { orphanDependents: true }, ['orphan']],
      [CONFIG_MAP, ['orphan'], { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
      [CONFIG_MAP, ['a.b/c', 'orphan'], { propagationPolicy: 'Background' }, ['a.b/c']],
      [CONFIG_MAP, ['orphan'], {}, ['orphan']],
      [CONFIG_MAP, ['foregroundDeletion'], {}, ['foregroundDeletion']],
      [CONFIG_MAP, ['foregroundDeletion', 'orphan'], {}, ['orphan']],
      [ORPHANS, [], {}, ['orphan']],
      [ORPHANS, [], { propagationPolicy: 'Background' }, []],
      [ORPHANS, [], { orphanDependents: false }, []],
      [ORPHANS, ['foregroundDeletion'], {}, ['foregroundDeletion']],
      [NO_DEPENDENTS, [], { propagationPolicy: 'Foreground' }, []],
      [NO_DEPENDENTS, ['a.b/c'], { propagationPolicy: 'Orphan' }, ['a.b/c']],
    ];
  for (const [definition, before, options, after] of cases) {
    const { updated, removes } = plan(definition, { finalizers: before }, options);
    const text = JSON.stringify([before, options]);
    t.same(updated?.metadata.finalizers ?? [], after, text);
    t.equal(removes, after.length === 0, text);
  }
});

t.test('a graceful kind waits', async (t) => {
  const until = (time: string, seconds: number, removes = false) => ({
    deletionTimestamp: time,
    deletionGracePeriodSeconds: seconds,
    removes,
  });
  t.same(written(GRACEFUL, {}), until('2024-01-01T12:00:30Z', 30));
  t.same(written(GRACEFUL, {}, { gracePeriodSeconds: 5 }), until('2024-01-01T12:00:05Z', 5));
  t.same(written(GRACEFUL, {}, { gracePeriodSeconds: -7 }), until('2024-01-01T12:00:01Z', 1));
  t.same(written(GRACEFUL, {}, { gracePeriodSeconds: 0 }), until(NOW, 0, true));
  t.same(
    written(GRACEFUL, {}, { gracePeriodSeconds: 1e12 }),
    until('2254-01-01T12:00:00Z', 7_258_118_400),
    'no longer than a time can be written',
  );
  const held = { finalizers: ['a.b/c'] };
  t.same(written(GRACEFUL, held, { gracePeriodSeconds: 0 }), { ...held, ...until(NOW, 0) });

  const waits = { deletionTimestamp: '2024-01-01T12:00:20Z', deletionGracePeriodSeconds: 30 };
  t.same(written(GRACEFUL, waits), { removes: false }, 'again: nothing changes');
  t.same(written(GRACEFUL, waits, { gracePeriodSeconds: 30 }), { removes: false }, 'as long');
  t.same(
    written(GRACEFUL, waits, { gracePeriodSeconds: 10 }),
    until('2024-01-01T12:00:00Z', 10),
    'a shorter time counts from the same beginning',
  );
  t.same(
    written(GRACEFUL, waits, { gracePeriodSeconds: 0 }),
    until('2024-01-01T11:59:50Z', 0, true),
    'at once',
  );
  t.same(written(GRACEFUL, { ...TERMINATING }), { removes: true }, 'nothing is left to wait for');
  t.same(
    written(GRACEFUL, { ...TERMINATING, ...held }),
    { ...TERMINATING, ...held, removes: false },
    'but for finalizers',
  );
});

t.test('a generation beyond what is a number goes on as an int64', async (t) => {
  const next = (generation: bigint | number): unknown => {
    const metadata = { name: 'a', generation, finalizers: ['example.com/hold'] };
    const stored = { metadata } as unknown as ApiObject;
    const { defaultPropagation } = CONFIG_MAP;
    const wanted = {
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy: '',
    };
    const kind = { definition: CONFIG_MAP, defaultPropagation };
    return planDeletion(kind, stored, wanted, NOW_MS).updated?.metadata.generation;
  };
  t.equal(next(1), 2);
  t.equal(next(Number.MAX_SAFE_INTEGER), 2n ** 53n);
  t.equal(next(2n ** 60n), 2n ** 60n + 1n);
  t.equal(next(2n ** 63n - 1n), -(2n ** 63n));
});
