// In which order webhooks are asked, which of them are asked again, and what becomes of failures.
import t from 'tap';
import { AdmissionChain } from '../../src/admission/chain.ts';
import { MutatingWebhooks } from '../../src/admission/plugins/webhooks/mutating-webhooks.ts';
import { ValidatingWebhooks } from '../../src/admission/plugins/webhooks/validating-webhooks.ts';
import type { AdmissionPlugin, PluginEntry } from '../../src/admission/plugin.ts';
import type { Proposal } from '../../src/admission/proposal.ts';
import { ADMISSION_CALLS_MAX } from '../../src/webhooks/limits.ts';
import type { Webhook } from '../../src/resources/admissionregistration/webhook-validation.ts';
import { WebhookError } from '../../src/webhooks/webhook-errors.ts';
import { MODEL } from '../resources/kind-rules.ts';
import { patchOf } from '../support/admission-webhook.ts';
import type { Members } from '../support/kinds.ts';
import { admissionContext, proposed } from '../support/proposals.ts';
import type { Proposed } from '../support/proposals.ts';
import { refusal } from '../support/thrown-status.ts';

const RULES = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];

/** Answers of a webhook by its URL: a response, or that it is not reached. */
type Answer = (object: Members, request: Members) => Members | Error | Promise<Members>;

interface Hooks {
  readonly mutating?: Readonly<Record<string, readonly Webhook[]>>;
  readonly validating?: Readonly<Record<string, readonly Webhook[]>>;
  readonly answers: Readonly<Record<string, Answer>>;
  readonly before?: AdmissionPlugin;
}

function hook(name: string, members: Webhook = {}): Webhook {
  return {
    name,
    clientConfig: { url: `https://${name}` },
    rules: RULES,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...members,
  };
}

/** A chain of the two plugins, and another one before them. */
function chainOf({ mutating = {}, validating = {}, answers, before = {} }: Hooks) {
  const calls: string[] = [];
  const log: string[] = [];
  const context = admissionContext({
    model: () => MODEL,
    logError: (text) => log.push(text),
    webhooks: () => ({
      call: async ({ url = '' }, document) => {
        const name = new URL(url).hostname;
        calls.push(name);
        const { request, ...type } = JSON.parse(document) as { request: Members };
        const told = await answers[name]?.(request['object'] as Members, request);
        if (told instanceof Error) throw told;
        const response = { uid: request['uid'], allowed: true, ...told };
        return { body: Buffer.from(JSON.stringify({ ...type, response })), contentType: '' };
      },
    }),
  });
  const plugins = {
    before,
    mutating: new MutatingWebhooks(context),
    validating: new ValidatingWebhooks(context),
  };
  for (const [type, configurations] of Object.entries({ mutating, validating })) {
    for (const [name, webhooks] of Object.entries(configurations)) {
      const object = { metadata: { name }, webhooks };
      context.fed.putObject(`${type}webhookconfigurations`, object);
    }
  }
  const entryOf = (plugin: AdmissionPlugin): PluginEntry => ({
    isOnByDefault: true,
    concerns: () => true,
    load: () => Promise.resolve(plugin),
  });
  const entries = Object.fromEntries(
    Object.entries(plugins).map(([name, plugin]) => [name, entryOf(plugin)]),
  );
  const config = { plugins: Object.keys(entries), settings: {} };
  const chain = new AdmissionChain(config, entries, context);
  const run = async (what: string, facts: Proposed = {}): Promise<Proposal> => {
    const object = { metadata: { name: 'a', namespace: 'ns' }, data: {} };
    const proposal = proposed(what, { object, ...facts });
    const interest = chain.interestIn(proposal);
    await interest.admit(proposal);
    await interest.validate(proposal);
    return proposal;
  };
  return { calls, log, context, plugins, run };
}

const adds = (path: string, value: unknown) => () => patchOf({ op: 'add', path, value });

t.test('configurations in the order of their names, webhooks in their order', async (t) => {
  const { run, calls } = chainOf({
    mutating: { b: [hook('b2'), hook('b1')], a: [hook('a')] },
    validating: { v: [hook('v')] },
    answers: { a: adds('/data/a', 1), b2: adds('/data/b', 2), v: ({ data }) => data as Members },
  });
  const { object } = await run('CREATE - configmaps');
  t.same(calls, ['a', 'b2', 'b1', 'v']);
  t.same(object?.['data'], { a: 1, b: 2 });
});

t.test('without a webhook nobody is waited for', async (t) => {
  const { plugins, context } = chainOf({ answers: {} });
  const proposal = proposed('CREATE - configmaps', { object: { metadata: {} } });
  t.equal(plugins.mutating.isIdle, true);
  t.equal(plugins.mutating.admit(proposal), undefined);
  t.equal(plugins.validating.validate(proposal), undefined);
  const rules = [{ ...RULES[0], resources: ['pods'] }];
  const object = { metadata: { name: 'c' }, webhooks: [hook('c', { rules })] };
  context.fed.putObject('mutatingwebhookconfigurations', object);
  t.equal(plugins.mutating.isIdle, false);
  t.equal(plugins.mutating.admit(proposal), undefined, 'nor where none is for such a write');
  context.fed.remove('mutatingwebhookconfigurations', '', 'c');
  t.equal(plugins.mutating.isIdle, true);
});

t.test(
  'a webhook that asks for it is asked again, once, when a later one has changed something',
  async (t) => {
    const { run, calls } = chainOf({
      mutating: {
        a: [
          hook('again', { reinvocationPolicy: 'IfNeeded' }),
          hook('never'),
          hook('changes', { reinvocationPolicy: 'IfNeeded' }),
          hook('late', { reinvocationPolicy: 'IfNeeded' }),
        ],
      },
      answers: {
        changes: ({ data }) =>
          patchOf({ op: 'add', path: `/data/${Object.keys(data as object).length}`, value: 'x' }),
      },
    });
    const { object } = await run('CREATE - configmaps');
    t.same(calls, ['again', 'never', 'changes', 'late', 'again']);
    t.same(Object.keys(object?.['data'] as object), ['0']);
  },
);

t.test(
  'plugins look again at what a webhook has changed, and webhooks at what those change',
  async (t) => {
    const seen: boolean[] = [];
    const { run, calls } = chainOf({
      before: {
        admit: (proposal) => {
          seen.push(proposal.isReinvoked);
          const { data } = proposal.object as unknown as { data: Members };
          if ('hooked' in data) data['seen'] = true;
        },
      },
      mutating: { a: [hook('changes', { reinvocationPolicy: 'IfNeeded' }), hook('other')] },
      answers: {
        changes: ({ data }) => ('hooked' in (data as object) ? {} : adds('/data/hooked', 1)()),
      },
    });
    const { object } = await run('CREATE - configmaps');
    t.same(seen, [false, true]);
    t.same(calls, ['changes', 'other', 'changes']);
    t.same(object?.['data'], { hooked: 1, seen: true });
  },
);

t.test('a patch that changes nothing makes nobody look again', async (t) => {
  const { run, calls } = chainOf({
    mutating: { a: [hook('again', { reinvocationPolicy: 'IfNeeded' }), hook('same')] },
    answers: { same: () => patchOf({ op: 'replace', path: '/metadata/name', value: 'a' }) },
  });
  const { annotations = new Map<string, string>() } = await run('CREATE - configmaps');
  t.same(calls, ['again', 'same']);
  t.same(
    [...annotations].filter(([key]) => key.includes('index_1')).map(([key]) => key),
    ['mutation', 'patch'].map((what) => `${what}.webhook.admission.cluster.io/round_0_index_1`),
  );
});

t.test('what a webhook changes decides whether later ones are asked', async (t) => {
  const objectSelector = { matchLabels: { a: 'b' } };
  const { run, calls } = chainOf({
    mutating: {
      a: [hook('before', { objectSelector }), hook('labels'), hook('after', { objectSelector })],
    },
    answers: { labels: adds('/metadata/labels', { a: 'b' }) },
  });
  await run('CREATE - configmaps');
  t.same(calls, ['labels', 'after']);
});

t.test('validating webhooks are asked all at once, and one refusal is enough', async (t) => {
  let arrived = 0;
  let release: (answer: Members) => void = () => undefined;
  const all = new Promise<Members>((resolve) => (release = resolve));
  const together: Answer = () => {
    arrived++;
    if (arrived === 3) release({});
    return all;
  };
  const { run } = chainOf({
    validating: { a: [hook('a'), hook('b'), hook('c')] },
    answers: {
      a: together,
      b: async () => {
        await together({}, {});
        return { allowed: false, status: { message: 'not so', reason: 'Because', code: 418 } };
      },
      c: together,
    },
  });
  t.match(await refusal(run('CREATE - configmaps')), {
    code: 418,
    reason: 'Because',
    message: 'admission webhook "b" denied the request: not so',
  });
});

t.test('a webhook that is not reached', async (t) => {
  const lost = (): Error => new WebhookError('Post "https://x": EOF');
  const message = 'failed calling webhook "x": failed to call webhook: Post "https://x": EOF';
  const answers = { x: lost };
  for (const type of ['mutating', 'validating'] as const) {
    const closed = chainOf({ [type]: { a: [hook('x')] }, answers });
    t.match(await refusal(closed.run('CREATE - configmaps')), {
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
    });
    const open = chainOf({ [type]: { a: [hook('x', { failurePolicy: 'Ignore' })] }, answers });
    const { annotations } = await open.run('CREATE - configmaps');
    await open.run('CREATE - configmaps');
    const what = type === 'mutating' ? 'mutation' : 'validating';
    const key = `failed-open.${what}.webhook.admission.cluster.io/round_0_index_0`;
    t.equal(annotations?.get(key), 'x');
    t.same(open.log, [`${message}; writes pass without it`], 'said once');
    const late = open.run('CREATE - configmaps', { deadlineMs: performance.now() - 1 });
    t.match(await refusal(late), { code: 504, reason: 'Timeout' });
  }
});

t.test('of a webhook that hangs only so many answers are waited for', async (t) => {
  let release: (answer: Members) => void = () => undefined;
  const held = new Promise<Members>((resolve) => (release = resolve));
  const { run } = chainOf({ validating: { a: [hook('x')] }, answers: { x: () => held } });
  const waiting = Array.from({ length: ADMISSION_CALLS_MAX }, () => run('CREATE - configmaps'));
  t.match(await refusal(run('CREATE - configmaps')), { code: 429 });
  release({});
  t.equal((await Promise.all(waiting)).length, ADMISSION_CALLS_MAX);
  t.ok(await run('CREATE - configmaps'));
});

t.test('a dry run needs a webhook without side effects', async (t) => {
  const dry = { dryRun: true };
  const webhooks = [hook('x', { sideEffects: 'Some', failurePolicy: 'Ignore' })];
  const { run } = chainOf({ validating: { a: webhooks }, answers: {} });
  t.match(await refusal(run('CREATE - configmaps', dry)), {
    code: 400,
    message: 'admission webhook "x" does not support dry run',
  });
  t.ok(await run('CREATE - configmaps'));
  const quiet = [hook('x', { sideEffects: 'NoneOnDryRun' })];
  t.ok(await chainOf({ mutating: { a: quiet }, answers: {} }).run('CREATE - configmaps', dry));
});

t.test('what a webhook says besides goes to the client and to the audit log', async (t) => {
  const { run } = chainOf({
    validating: { a: [hook('x')] },
    answers: { x: () => ({ warnings: ['w', 'w2'], auditAnnotations: { key: 'value' } }) },
  });
  const { warnings, annotations } = await run('CREATE - configmaps');
  t.same(warnings, ['w', 'w2']);
  t.equal(annotations?.get('x/key'), 'value');
});

t.test('what is sent', async (t) => {
  const requests: Members[] = [];
  const { run } = chainOf({
    validating: { a: [hook('x')] },
    answers: { x: (_object, request) => (requests.push(request), {}) },
  });
  const user = { name: 'me', uid: '1', groups: ['g'], extra: { k: ['v'] } };
  const object = { metadata: { name: 'a' } };
  const options = { kind: 'UpdateOptions', apiVersion: 'meta.cluster.io/v1' };
  const facts = { user, object, oldObject: object, namespace: 'ns', name: 'a', options };
  await run('UPDATE apps deployments/status', facts as object);
  const type = { group: 'apps', version: 'v1', resource: 'deployments' };
  const kind = { group: '', version: 'v1', kind: '' };
  const [{ uid, ...request } = {}] = requests;
  t.match(uid, /^[0-9a-f-]{36}$/);
  t.same(request, {
    kind,
    resource: type,
    subResource: 'status',
    requestKind: kind,
    requestResource: type,
    requestSubResource: 'status',
    name: 'a',
    namespace: 'ns',
    operation: 'UPDATE',
    userInfo: { username: 'me', uid: '1', groups: ['g'], extra: { k: ['v'] } },
    object,
    oldObject: object,
    dryRun: false,
    options,
  });
});
