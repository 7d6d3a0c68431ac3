/** A webhook that decides: what it is asked, what its answers mean, and how long they are kept. */
import t from 'tap';
import type { AuthorizationWebhook } from '../../../src/auth/webhook/authorization-webhook.ts';
import type { AccessAttributes, Decision } from '../../../src/auth/authorizer.ts';
import { MatchConditions } from '../../../src/auth/webhook/match-conditions.ts';
import {
  WebhookAuthorizer,
  type Conditions,
} from '../../../src/auth/webhook/webhook-authorizer.ts';
import { WebhookError } from '../../../src/webhooks/webhook-errors.ts';
import type { Members } from '../../support/kinds.ts';
import { access, pathAccess, person } from '../../support/rbac.ts';

const JANE = { ...person('jane', 'dev'), uid: 'u', extra: { scopes: ['a', 'b'] } };
const GET = access(JANE, 'get apps deployments/scale', { name: 'x' });
const API = 'authorization.cluster.io';

const WEBHOOK: AuthorizationWebhook = {
  name: 'w',
  target: { url: 'https://127.0.0.1/', caBundle: '' },
  tellsSelectors: true,
  version: 'v1',
  timeoutMs: 1_000,
  onFailure: 'noOpinion',
  allowedMs: 300,
  refusedMs: 30,
  conditions: [],
};

class Rig {
  readonly asked: Members[] = [];
  readonly waited: number[] = [];
  nowMs = 0;
  answers: (object | string | Error)[] = [];
  readonly #version: AuthorizationWebhook['version'];
  readonly #webhook: WebhookAuthorizer;

  constructor(
    version: AuthorizationWebhook['version'] = 'v1',
    more: Partial<AuthorizationWebhook> = {},
    conditions?: Conditions,
  ) {
    this.#version = version;
    this.#webhook = new WebhookAuthorizer(
      { ...WEBHOOK, version, ...more },
      {
        conditions,
        call: async (_target, document) => {
          this.asked.push(JSON.parse(document));
          const answer = this.answers.shift() ?? { allowed: false };
          if (answer instanceof Error) throw answer;
          const body = typeof answer === 'string' ? answer : this.#review(answer);
          return { body: Buffer.from(body), contentType: 'application/json' };
        },
        nowMs: () => this.nowMs,
        wait: async (ms) => void this.waited.push(ms),
      },
    );
  }

  async decide(asked: AccessAttributes, ...answers: Rig['answers']): Promise<Decision> {
    this.answers = answers;
    return this.#webhook.authorize(asked);
  }

  get webhook(): WebhookAuthorizer {
    return this.#webhook;
  }

  #review(status: object): string {
    const apiVersion = `${API}/${this.#version}`;
    return JSON.stringify({ kind: 'SubjectAccessReview', apiVersion, status });
  }
}

t.test('what it is asked', async (t) => {
  const resourceAttributes = {
    namespace: 'ns',
    verb: 'get',
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    subresource: 'scale',
    name: 'x',
  };
  const who = { user: 'jane', uid: 'u', extra: { scopes: ['a', 'b'] } };
  const rig = new Rig();
  await rig.decide(GET);
  await rig.decide(pathAccess(person('joe'), 'get', '/metrics'));
  t.match(rig.asked[0], { kind: 'SubjectAccessReview', apiVersion: `${API}/v1` });
  t.same(rig.asked[0]?.['spec'], { resourceAttributes, ...who, groups: ['dev'] });
  const nonResourceAttributes = { path: '/metrics', verb: 'get' };
  t.same(rig.asked[1]?.['spec'], { nonResourceAttributes, user: 'joe' });
  const older = new Rig('v1beta1');
  await older.decide(GET);
  t.same(older.asked[0]?.['spec'], { resourceAttributes, ...who, group: ['dev'] });
});

t.test('it is told selectors as conditions', async (t) => {
  const rig = new Rig();
  const list = access(JANE, 'list - pods', { name: '' });
  const attributes = async (fieldSelector: string, labelSelector: string): Promise<Members> => {
    await rig.decide({ ...list, fieldSelector, labelSelector });
    const spec = rig.asked.at(-1)?.['spec'] as Members | undefined;
    return spec?.['resourceAttributes'] as Members;
  };
  const both = await attributes('b!=2,a=1', 'x in (c,b),y,!z,n>3');
  t.same(both['fieldSelector'], {
    requirements: [
      { key: 'a', operator: 'In', values: ['1'] },
      { key: 'b', operator: 'NotIn', values: ['2'] },
    ],
  });
  t.same(both['labelSelector'], {
    requirements: [
      { key: 'z', operator: 'DoesNotExist' },
      { key: 'x', operator: 'In', values: ['b', 'c'] },
      { key: 'y', operator: 'Exists' },
    ],
  });
  const neither = await attributes('a', '(');
  t.same(Object.keys(neither), ['namespace', 'verb', 'version', 'resource']);
});

t.test('what its answers mean', async (t) => {
  const both = 'webhook subject access review returned both allow and deny response';
  const other = `the webhook did not answer with a SubjectAccessReview of ${API}/v1`;
  const nothing = { verdict: 'noOpinion', reason: '' };
  const rows: [string, object | string | Error, Decision][] = [
    ['yes', { allowed: true, reason: 'r' }, { verdict: 'allow', reason: 'r' }],
    ['no', { denied: true, allowed: false }, { verdict: 'deny', reason: '' }],
    ['nothing', { reason: 'r' }, { verdict: 'noOpinion', reason: 'r' }],
    ['both', { denied: true, allowed: true }, { verdict: 'deny', reason: '', error: both }],
    ['no JSON', '<p>', { ...nothing, error: 'the webhook did not answer with JSON' } as Decision],
    ['another kind', '{"kind":"Pod"}', { ...nothing, error: other } as Decision],
    ['null', 'null', { ...nothing, error: other } as Decision],
    [
      'a status of other types',
      { allowed: 'yes' },
      { ...nothing, error: 'the webhook answered with a status that cannot be read' } as Decision,
    ],
    ['an error', new WebhookError('no route'), { ...nothing, error: 'no route' } as Decision],
  ];
  for (const [what, answer, expected] of rows) {
    t.same(await new Rig().decide(GET, answer), expected, what);
  }
  await t.rejects(new Rig().decide(GET, new TypeError('a bug')), { message: 'a bug' });
  t.match(new Rig().webhook.rulesFor(), { incomplete: true });
});

t.test('it is asked again while it is busy', async (t) => {
  const busy = new WebhookError('busy', 429);
  const rig = new Rig();
  t.match(await rig.decide(GET, busy, busy, { allowed: true }), { verdict: 'allow' });
  t.same(rig.waited, [500, 750]);
  const tired = new Rig();
  t.match(await tired.decide(GET, busy, busy, busy, busy, busy), { error: 'busy' });
  t.equal(tired.asked.length, 5);
  const refused = new Rig();
  t.match(await refused.decide(GET, new WebhookError('no', 403)), { error: 'no' });
  t.same(refused.waited, []);
});

t.test('answers are kept for their time', async (t) => {
  const rig = new Rig();
  const other = access(JANE, 'list - pods');
  await rig.decide(GET, { allowed: true, reason: 'kept' });
  await rig.decide(other, { allowed: false });
  t.equal(rig.asked.length, 2);
  rig.nowMs = 29;
  t.match(await rig.decide(GET), { verdict: 'allow', reason: 'kept' });
  t.match(await rig.decide(other, { allowed: true }), { verdict: 'noOpinion' });
  t.equal(rig.asked.length, 2);
  rig.nowMs = 30;
  t.match(await rig.decide(other, { allowed: true }), { verdict: 'allow' });
  t.match(await rig.decide(GET), { verdict: 'allow' });
  t.equal(rig.asked.length, 3);
  rig.nowMs = 300;
  t.match(await rig.decide(GET, new WebhookError('down')), { verdict: 'noOpinion' });
  t.match(await rig.decide(GET, { allowed: true }), { verdict: 'allow' }, 'errors are not kept');
  const long = access(JANE, 'get - pods', { name: 'x'.repeat(10_000) });
  await rig.decide(long, { allowed: true });
  t.match(await rig.decide(long, { denied: true }), { verdict: 'deny' }, 'nor what is long');
});

t.test('only so many answers are kept, those that are used', async (t) => {
  const rig = new Rig();
  const isAsked = async (at: number): Promise<boolean> => {
    const before = rig.asked.length;
    await rig.decide(access(JANE, 'get - pods', { name: `p${at}` }));
    return rig.asked.length > before;
  };
  for (let at = 0; at < 2 * 4_096; at++) {
    await isAsked(at);
    if (at % 1_024 === 0) await isAsked(0);
  }
  t.notOk(await isAsked(0), 'it was used all the time');
  t.notOk(await isAsked(8_191));
  t.ok(await isAsked(1));
});

t.test(
  'conditions are evaluated before it is asked, and what it fails to say is decided',
  async (t) => {
    const rig = (...conditions: string[]): Rig => {
      const matches = new MatchConditions({ name: 'w', conditions, tellsSelectors: true });
      return new Rig('v1', { onFailure: 'deny' }, matches);
    };
    const nothing = { verdict: 'noOpinion', reason: '' };
    const path = pathAccess(person('joe'), 'get', '/metrics');
    const isResource = 'has(request.resourceAttributes)';
    const isNs = "request.resourceAttributes.namespace == 'ns'";
    const yes = { allowed: true };
    t.match(await rig(isResource, isNs).decide(GET, yes), { verdict: 'allow' });
    t.same(
      await rig(isResource, isNs).decide(path, yes),
      nothing,
      'one that does not hold decides',
    );
    t.same(await rig(isNs, isResource).decide(path, yes), nothing, 'after one that fails too');
    t.same(await rig(isNs).decide(path, yes), {
      verdict: 'deny',
      reason: '',
      error:
        `cel evaluation error: expression '${isNs}' resulted in error: ` +
        'no such key: resourceAttributes',
    });
    const all = "request.user == 'jane' && request.uid == 'u' && 'dev' in request.groups && ";
    const extra = "request.extra['scopes'] == ['a', 'b']";
    t.match(await rig(all + extra).decide(GET, yes), { verdict: 'allow' });
    const selected = "request.resourceAttributes.fieldSelector.requirements[0].values == ['1']";
    const list = { ...access(JANE, 'list - pods', { name: '' }), fieldSelector: 'a=1' };
    t.match(await rig(selected).decide(list, yes), { verdict: 'allow' });
    const broken = new Rig('v1', { onFailure: 'deny' });
    t.match(await broken.decide(GET, new WebhookError('no route')), {
      verdict: 'deny',
      error: 'no route',
    });
  },
);

t.test('answers are not kept where that is switched off', async (t) => {
  const rig = new Rig('v1', { allowedMs: 0 });
  for (const answer of [{ allowed: true }, { allowed: false }]) {
    await rig.decide(GET, answer);
    await rig.decide(GET, answer);
  }
  t.equal(rig.asked.length, 3);
});
