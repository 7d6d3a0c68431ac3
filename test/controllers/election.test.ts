// Leaders follow from leases and candidates, in a release where there are candidates.
import '../support/newest-release.ts';
import t from 'tap';
import type { LeaseCandidate } from '#messages/coordination.v1beta1';
import { utcMicros } from '../../src/base/time/utc-time.ts';
import {
  electedLease,
  isAsked,
  isCandidateOver,
  nextStep,
} from '../../src/controllers/leader-election/election.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const OLDEST = 'OldestEmulationVersion';
const MINUTE = 60_000;

const at = (agoMs: number): string => utcMicros(NOW - agoMs);

interface Facts {
  readonly emulates?: string;
  readonly is?: string;
  readonly renewed?: number;
  readonly asked?: number;
  readonly made?: string;
  readonly strategy?: string;
}

function candidate(name: string, facts: Facts = {}): LeaseCandidate {
  const { emulates = '1.37.0', is = '1.37.0', renewed = 0, asked, made = '', strategy } = facts;
  return {
    metadata: { name, namespace: 'default', creationTimestamp: made },
    spec: {
      leaseName: 'work',
      emulationVersion: emulates,
      binaryVersion: is,
      strategy: strategy ?? OLDEST,
      renewTime: at(renewed),
      ...(asked !== undefined && { pingTime: at(asked) }),
    },
  };
}

const held = (holderIdentity: string, agoMs = 0) => ({
  metadata: {},
  spec: { holderIdentity, leaseDurationSeconds: 5, renewTime: at(agoMs), strategy: OLDEST },
});

/** The names of those that are asked, or what else is done. */
function step(candidates: readonly LeaseCandidate[], lease?: ReturnType<typeof held>) {
  const next = nextStep(candidates, lease, NOW);
  if (next.does === 'ask') return next.candidates.map(({ metadata }) => metadata?.name);
  return next.does === 'elect' ? (next.electee ?? next.strategy) : next.does;
}

t.test('candidates that have just answered elect at once', async (t) => {
  t.equal(step([]), 'rest');
  t.equal(step([candidate('a')]), 'a');
  const older = candidate('b', { emulates: '1.36.0' });
  t.equal(step([candidate('a'), older]), 'b', 'that emulates the oldest version');
  t.equal(step([candidate('a', { is: '1.38.0' }), candidate('b')]), 'b', 'the oldest program');
  const made = [candidate('a', { made: at(0) }), candidate('b', { made: at(5_000) })];
  t.equal(step(made), 'b', 'the oldest object');
  t.equal(step([candidate('a', { emulates: 'x' }), candidate('b')]), 'b', 'with versions');
});

t.test('others are asked first, and have five seconds', async (t) => {
  const quiet = { renewed: MINUTE };
  t.same(step([candidate('a', quiet), candidate('b')]), ['a']);
  t.same(step([candidate('a', { ...quiet, asked: 6_000 + MINUTE })]), ['a'], 'once more');
  t.equal(step([candidate('a', { ...quiet, asked: 4_000 }), candidate('b')]), 'wait');
  const silent = candidate('a', { ...quiet, asked: 6_000, emulates: '1.30.0' });
  t.equal(step([silent, candidate('b', { asked: 6_000 })]), 'b', 'who is silent does not count');
  t.throws(() => step([silent]), /no available candidates/);
});

t.test('a lease that the best one holds is left alone', async (t) => {
  const both = [candidate('a'), candidate('b', { emulates: '1.36.0' })];
  t.equal(step(both, held('b')), 'wait');
  t.equal(step(both, held('a')), 'b');
  t.equal(step(both, held('')), 'b');
  t.equal(step(both, held('b', 6_000)), 'b', 'one that is over is not');
  const old = [candidate('a', { renewed: 16 * MINUTE }), candidate('b', { emulates: '1.36.0' })];
  t.same(step(old, held('b')), ['a'], 'every quarter of an hour all are asked');
  t.equal(step([candidate('a', { renewed: 31 * MINUTE })], held('')), 'rest', 'or do not count');
});

t.test('the newest program says which strategy counts', async (t) => {
  const other = { strategy: 'example.com/mine' };
  t.equal(step([candidate('a', { ...other, is: '1.38.0' }), candidate('b')]), 'example.com/mine');
  t.equal(step([candidate('a', other), candidate('b', { is: '1.38.0' })]), 'a');
  t.throws(() => step([candidate('a', other), candidate('b')]), {
    message:
      'candidates "a", "b" at same binary version but received differing strategies ' +
      'example.com/mine, OldestEmulationVersion',
  });
  t.equal(step([candidate('a', other)], held('x')), 'wait', 'one of others is left to them');
});

t.test('what becomes of the lease', async (t) => {
  const elected = { strategy: OLDEST, electee: 'b' };
  const fresh = { leaseDurationSeconds: 5, renewTime: at(0), strategy: OLDEST };
  t.same(electedLease(undefined, elected, NOW), { ...fresh, holderIdentity: 'b' });
  t.same(electedLease(undefined, { strategy: 'x/y' }, NOW), { ...fresh, strategy: 'x/y' });
  t.equal(electedLease(held('b').spec, elected, NOW), undefined);
  const asked = electedLease(held('a').spec, elected, NOW);
  t.same(asked, { ...held('a').spec, preferredHolder: 'b' }, 'who lives is asked for it');
  t.equal(electedLease(asked, elected, NOW), undefined);
  const over = { ...held('a', 6_000).spec, acquireTime: at(MINUTE), leaseTransitions: 3 };
  const taken = { ...fresh, holderIdentity: 'b', leaseTransitions: 3 };
  t.same(electedLease({ ...over, preferredHolder: 'b' }, elected, NOW), taken);
  const { strategy, ...without } = held('b').spec;
  t.same(electedLease(without, elected, NOW), { ...without, strategy });
  const { holderIdentity, ...nobodys } = over;
  t.same(electedLease(nobodys, elected, NOW), taken, `not ${holderIdentity}’s`);
});

t.test('microseconds count', async (t) => {
  const { metadata, spec } = candidate('a');
  const times = {
    renewTime: '2026-06-01T12:00:00.000001Z',
    pingTime: '2026-06-01T12:00:00.000002Z',
  };
  t.ok(isAsked({ metadata, spec: { ...spec, ...times } }));
  t.notOk(isAsked({ metadata, spec: { ...spec, ...times, renewTime: times.pingTime } }));
  t.notOk(isAsked(candidate('a')));
  t.ok(isCandidateOver({ metadata, spec: {} }, NOW), 'one that has never shown that it lives');
});
