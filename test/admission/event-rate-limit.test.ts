/** How many events are let through. */
import t from 'tap';
import {
  checkEventRateLimit,
  EventRateLimit,
} from '../../src/admission/plugins/event-rate-limit/event-rate-limit.ts';
import { admissionContext, proposed, verdict } from '../support/proposals.ts';
import { person } from '../support/rbac.ts';

interface Written {
  readonly namespace?: string;
  readonly user?: string;
  readonly host?: string;
  readonly dryRun?: boolean;
}

function limited(...limits: readonly object[]) {
  const clock = { nowMs: 0 };
  const context = admissionContext({ nowMs: () => clock.nowMs });
  const plugin = new EventRateLimit(context, { limits });
  const write = ({ namespace = 'a', user = 'u', host = 'h', dryRun = false }: Written = {}) => {
    const object = {
      metadata: { name: 'e', namespace },
      source: { component: 'c', host },
      involvedObject: { kind: 'Pod', namespace, name: 'p', uid: '1', apiVersion: 'v1' },
    };
    const facts = { object, dryRun, user: person(user) };
    return verdict(plugin, proposed('CREATE - events', facts));
  };
  return { clock, write };
}

const REACHED = '429 Too many requests: limit reached on type ';

t.test('a bucket holds a burst, and fills with time', async (t) => {
  const { clock, write } = limited({ type: 'Server', qps: 2, burst: 3 });
  const server = `${REACHED}Server for key `;
  t.same([write(), write(), write(), write()], [undefined, undefined, undefined, server]);
  t.equal(write({ dryRun: true }), undefined, 'a dry run does not count');
  clock.nowMs += 499;
  t.equal(write(), server);
  clock.nowMs += 1;
  t.same([write(), write()], [undefined, server], 'half a second is one of two');
  clock.nowMs -= 10_000;
  t.equal(write(), server, 'a clock that goes back fills nothing');
  clock.nowMs += 60_000;
  t.same([write(), write(), write(), write()], [undefined, undefined, undefined, server]);
});

t.test('there is one for each namespace, user, or source and object', async (t) => {
  const one = { qps: 1, burst: 1 };
  const spaces = limited({ type: 'Namespace', ...one });
  t.equal(spaces.write(), undefined);
  t.equal(spaces.write({ user: 'v' }), `${REACHED}Namespace for key a`);
  t.equal(spaces.write({ namespace: 'b' }), undefined);
  const users = limited({ type: 'User', ...one });
  t.equal(users.write(), undefined);
  t.equal(users.write({ namespace: 'b' }), `${REACHED}User for key u`);
  t.equal(users.write({ user: 'v' }), undefined);
  const sources = limited({ type: 'SourceAndObject', ...one });
  t.equal(sources.write(), undefined);
  t.equal(sources.write(), `${REACHED}SourceAndObject for key chPodap1v1`);
  t.equal(sources.write({ host: 'i' }), undefined);
});

t.test('each limit counts, and all that are reached are told', async (t) => {
  const { write } = limited(
    { type: 'Server', qps: 1, burst: 2 },
    { type: 'Namespace', qps: 1, burst: 1 },
  );
  t.equal(write(), undefined);
  t.equal(write(), `${REACHED}Namespace for key a`);
  t.equal(
    write(),
    '429 Too many requests: [limit reached on type Server for key , ' +
      'limit reached on type Namespace for key a]',
  );
});

t.test('the bucket that was used longest ago is forgotten, and full again', async (t) => {
  const { write } = limited({ type: 'Namespace', qps: 1, burst: 1, cacheSize: 2 });
  const from = (namespace: string): boolean => write({ namespace }) === undefined;
  t.same(['a', 'b', 'a', 'c', 'a', 'b', 'c'].map(from), [
    true,
    true,
    false,
    true,
    false,
    true,
    true,
  ]);
});

t.test('settings name limits', async (t) => {
  const head = {
    apiVersion: 'eventratelimit.admission.cluster.io/v1alpha1',
    kind: 'Configuration',
  };
  const problems = (settings: Readonly<Record<string, unknown>>): string[] =>
    checkEventRateLimit(settings).map(({ field, message }) => `${field}: ${message}`);
  t.same(problems({ ...head, limits: [{ type: 'User', qps: 1, burst: 1, cacheSize: 3 }] }), []);
  t.same(problems({ ...head }), ['limits: Invalid value: []: must not be empty']);
  t.match(problems({}), [/^apiVersion: Req/, /^kind: Req/, /must not be empty$/]);
  t.same(problems({ ...head, limits: [{ type: 'Pod', qps: 0, cacheSize: -1, x: 1 }] }), [
    'limits[0].x: Forbidden: unknown member',
    'limits[0].type: Unsupported value: "Pod": supported values: ' +
      '"Server", "Namespace", "User", "SourceAndObject"',
    'limits[0].qps: Invalid value: 0: must be positive',
    'limits[0].burst: Invalid value: 0: must be positive',
    'limits[0].cacheSize: Invalid value: -1: must not be negative',
  ]);
  t.match(problems({ ...head, limits: 3 }), [/^limits: Invalid value: 3: must be a list$/]);
});
