/** Candidates that elect a leader with a Lease: only optimistic locking keeps them apart. */
import { ApiException, CoordinationV1Api, CoreV1Api, V1MicroTime } from '@kubernetes/client-node';
import type { V1Lease } from '@kubernetes/client-node';
import t from 'tap';
import { expectException } from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';

const namespace = 'kube-system';
const name = 'controller';
const TERMS = 15;

const { config } = await sharedPublicServer();

interface Candidate {
  readonly identity: string;
  /** Versions of the lease that it has written. */
  readonly written: number[];
  refused: number;
}

/**
 * Takes the lease, or renews it, if it is free or its own: true when it leads afterwards. A lease
 * is free when its holder has given it up: no clock decides here.
 */
async function tryToLead(leases: CoordinationV1Api, own: Candidate): Promise<boolean> {
  const renewTime = new V1MicroTime();
  const { identity } = own;
  const mine = { holderIdentity: identity, leaseDurationSeconds: 15, renewTime };
  try {
    const lease = await leases.readNamespacedLease({ namespace, name });
    const holder = lease.spec?.holderIdentity ?? '';
    if (holder !== '' && holder !== identity) return false;
    const transitions = (lease.spec?.leaseTransitions ?? 0) + (holder === identity ? 0 : 1);
    lease.spec = { ...mine, leaseTransitions: transitions };
    note(own, await leases.replaceNamespacedLease({ namespace, name, body: lease }));
    return true;
  } catch (error) {
    if (!(error instanceof ApiException)) throw error;
    if (error.code === 404) return tryToCreate(leases, own);
    if (error.code !== 409) throw error;
    own.refused += 1;
    return false;
  }
}

async function tryToCreate(leases: CoordinationV1Api, own: Candidate): Promise<boolean> {
  try {
    const spec = { holderIdentity: own.identity, leaseDurationSeconds: 15, leaseTransitions: 0 };
    const body = { metadata: { name }, spec };
    note(own, await leases.createNamespacedLease({ namespace, body }));
    return true;
  } catch (error) {
    if (!(error instanceof ApiException) || error.code !== 409) throw error;
    own.refused += 1;
    return false;
  }
}

function note(own: Candidate, { metadata }: V1Lease): void {
  own.written.push(Number(metadata?.resourceVersion));
}

function setHolder({ spec }: V1Lease, identity: string): void {
  if (spec === undefined) throw new Error('a lease without a spec');
  spec.holderIdentity = identity;
}

async function giveUp(leases: CoordinationV1Api, own: Candidate): Promise<void> {
  const lease = await leases.readNamespacedLease({ namespace, name });
  setHolder(lease, '');
  note(own, await leases.replaceNamespacedLease({ namespace, name, body: lease }));
}

t.test('at no time do two candidates lead, and each gets its turn', async (t) => {
  let leader: string | undefined;
  const candidates = ['one', 'two'].map((identity): Candidate => {
    return { identity, written: [], refused: 0 };
  });
  const terms = new Map<string, number>();
  let count = 0;
  const campaign = async (own: Candidate) => {
    const leases = config.makeApiClient(CoordinationV1Api);
    while (count < TERMS) {
      if (!(await tryToLead(leases, own))) continue;
      t.equal(leader, undefined, `${own.identity} leads alone`);
      leader = own.identity;
      const renewed = await tryToLead(leases, own);
      t.ok(renewed, 'a leader can renew');
      terms.set(own.identity, (terms.get(own.identity) ?? 0) + 1);
      count += 1;
      leader = undefined;
      await giveUp(leases, own);
      // Lets the other one come first at times.
      await leases.readNamespacedLease({ namespace, name });
      await leases.readNamespacedLease({ namespace, name });
    }
  };
  await Promise.all(candidates.map(campaign));
  const written = candidates.flatMap((own) => own.written);
  t.equal(new Set(written).size, written.length, 'no version was written by two');
  t.ok(count >= TERMS);
  const leases = config.makeApiClient(CoordinationV1Api);
  const lease = await leases.readNamespacedLease({ namespace, name });
  t.equal(Number(lease.metadata?.resourceVersion), Math.max(...written));
});

t.test('of writers that have read the same version, one wins', async (t) => {
  const leases = config.makeApiClient(CoordinationV1Api);
  const readers = Array.from({ length: 8 }, async () =>
    leases.readNamespacedLease({ namespace, name }),
  );
  const writers = (await Promise.all(readers)).map(async (lease, index) => {
    setHolder(lease, `writer-${index}`);
    return leases.replaceNamespacedLease({ namespace, name, body: lease });
  });
  const results = await Promise.allSettled(writers);
  const won = results.filter(({ status }) => status === 'fulfilled');
  t.equal(won.length, 1);
  for (const result of results) {
    if (result.status === 'rejected') t.match(result.reason, { code: 409 });
  }
  const now = await leases.readNamespacedLease({ namespace, name });
  const [winner] = won;
  t.same(winner?.status === 'fulfilled' && winner.value.spec, now.spec);
});

t.test('times keep their microseconds, and no write is without a version', async (t) => {
  const leases = config.makeApiClient(CoordinationV1Api);
  const renewTime = new V1MicroTime('2026-01-02T03:04:05.678Z');
  const body = { metadata: { name }, spec: { holderIdentity: 'last', renewTime } };
  await expectException(t, leases.replaceNamespacedLease({ namespace, name, body }), {
    code: 422,
    reason: 'Invalid',
    message: /metadata\.resourceVersion: Invalid value: 0x0: must be specified for an update$/,
  });
  const read = await leases.readNamespacedLease({ namespace, name });
  read.spec = body.spec;
  const replaced = { namespace, name, body: read };
  const { spec, metadata } = await leases.replaceNamespacedLease(replaced);
  t.equal(String(spec?.renewTime), '2026-01-02T03:04:05.678000Z');
  const preconditions = { resourceVersion: '1' };
  const stale = leases.deleteNamespacedLease({ namespace, name, body: { preconditions } });
  await expectException(t, stale, { code: 409, reason: 'Conflict' });
  const resourceVersion = metadata?.resourceVersion ?? '';
  const now = { preconditions: { resourceVersion } };
  const status = await leases.deleteNamespacedLease({ namespace, name, body: now });
  t.match(status, { kind: 'Status', status: 'Success' });
  t.match(status.details, { name, group: 'coordination.k8s.io', kind: 'leases' });
});

t.test('the namespace of node leases is there', async (t) => {
  const namespaces = await config.makeApiClient(CoreV1Api).listNamespace();
  const names = new Set(namespaces.items.map(({ metadata }) => metadata?.name));
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    t.ok(names.has(name), name);
  }
});
