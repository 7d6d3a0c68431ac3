/** Tokens that a service outside knows, which may be slow, wrong or dead. */
import t from 'tap';
import type { Test } from 'tap';
import { BearerTokens } from '../../../src/auth/authentication/token-way.ts';
import { WebhookTokens } from '../../../src/auth/authentication/webhook-tokens/webhook-tokens.ts';
import { webhookTargetOf } from '../../../src/webhooks/kubeconfig.ts';
import { WebhookClient } from '../../../src/webhooks/webhook-client.ts';
import { startHttpsService } from '../../support/https-service.ts';
import type { Answer, HttpsService } from '../../support/https-service.ts';

const API = ['api'];
const KEPT_MS = 120_000;

function review(status: object): object {
  return { kind: 'TokenReview', apiVersion: 'authentication.cluster.io/v1beta1', status };
}

function userReview(user: object, more: object = {}): object {
  return review({ authenticated: true, user, ...more });
}

function kubeconfig(service: HttpsService, user: object = {}): object {
  return {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [
      {
        name: 'k',
        cluster: {
          server: `${service.url}/reviews`,
          'certificate-authority-data': Buffer.from(service.authority).toString('base64'),
        },
      },
    ],
    users: [{ name: 'u', user }],
  };
}

/** A service that answers what it is told to, and who goes by it. */
async function scene(t: Test) {
  let answer: (body: string) => Answer = () => 404;
  const service = await startHttpsService(t, ({ body }) => answer(body));
  const clock = { nowMs: 0 };
  const logged: string[] = [];
  const folder = t.testdir({ hook: JSON.stringify(kubeconfig(service, { token: 'mine' })) });
  const client = new WebhookClient(() => Promise.reject(new Error('no services')));
  t.teardown(() => client.close());
  const way = new WebhookTokens({
    settings: {
      target: webhookTargetOf('hook', `${folder}/hook`),
      version: 'v1beta1',
      keptMs: KEPT_MS,
    },
    client,
    apiAudiences: API,
    nowMs: () => clock.nowMs,
    logError: (text) => logged.push(text),
    wait: async () => undefined,
  });
  const bearer = new BearerTokens([way]);
  const outcome = async (token: string, audiences = API): Promise<unknown> => {
    try {
      return await bearer.authenticate(token, audiences);
    } catch (error) {
      return (error as Error).message.replace('[invalid bearer token, ', '').replace(/\]$/, '');
    }
  };
  return {
    clock,
    logged,
    service,
    outcome,
    answers: (given: (body: string) => Answer) => void (answer = given),
  };
}

t.test('it is asked with a review, and its answer is kept', async (t) => {
  const { answers, outcome, service, clock } = await scene(t);
  const extra = { 'acme.org/team': ['x'] };
  answers(() => userReview({ username: 'jane', uid: '7', groups: ['dev'], extra }));
  const expected = {
    user: { name: 'jane', uid: '7', groups: ['dev', 'system:authenticated'], extra },
    audiences: API,
  };
  t.same(await Promise.all([outcome('secret'), outcome('secret')]), [expected, expected]);
  t.same(await outcome('secret'), expected);
  t.equal(service.requests.length, 1, 'asked once');
  const [request] = service.requests;
  t.equal(request?.headers.authorization, 'Bearer mine');
  t.equal(request?.path, '/reviews?timeout=30s');
  t.same(JSON.parse(request?.body ?? ''), {
    kind: 'TokenReview',
    apiVersion: 'authentication.cluster.io/v1beta1',
    metadata: { creationTimestamp: null },
    spec: { token: 'secret', audiences: API },
    status: { user: {} },
  });
  clock.nowMs += KEPT_MS;
  await outcome('secret');
  t.equal(service.requests.length, 2, 'and again after a while');
});

t.test('audiences', async (t) => {
  const { answers, outcome, service } = await scene(t);
  answers(() => userReview({ username: 'jane' }));
  t.match(await outcome('secret', ['x', 'api']), { audiences: ['api'] });
  t.equal(await outcome('secret', ['x']), 'invalid bearer token');
  answers(() => userReview({ username: 'jane' }, { audiences: ['x'] }));
  t.match(await outcome('other', ['x', 'y']), { audiences: ['x'] });
  t.equal(await outcome('other'), 'invalid bearer token');
  t.equal(service.requests.length, 4);
});

t.test('nobody', async (t) => {
  const { answers, outcome, service } = await scene(t);
  answers(() => review({ authenticated: false }));
  t.equal(await outcome('a'), 'invalid bearer token');
  t.equal(await outcome('a'), 'invalid bearer token');
  t.equal(service.requests.length, 1, 'that is kept too');
  answers(() => review({ error: 'it is stolen' }));
  t.equal(await outcome('b'), 'it is stolen');
  t.equal(await outcome('b'), 'it is stolen');
  t.equal(service.requests.length, 3, 'but not what is said to be wrong');
});

t.test('what is no answer', async (t) => {
  const { answers, outcome, service, logged } = await scene(t);
  answers(() => 'no JSON');
  t.equal(await outcome('a'), 'the answer is no JSON');
  answers(() => ({ kind: 'Status' }));
  t.equal(await outcome('a'), 'the answer is no TokenReview');
  answers(() => userReview({ username: 7, groups: 'x', extra: [] }));
  t.match(await outcome('b'), { user: { name: '', groups: ['system:authenticated'] } });
  answers(() => 403);
  t.equal(await outcome('a'), 'it is broken');
  const before = service.requests.length;
  answers(() => 500);
  t.match(await outcome('a'), 'an error on the server');
  t.equal(service.requests.length, before + 5, 'tried again, and not for ever');
  let calls = 0;
  answers(() => (++calls < 3 ? 429 : userReview({ username: 'jane' })));
  t.match(await outcome('a'), { user: { name: 'jane' } });
  t.notOk(
    logged.some((text) => text.includes('mine')),
    'nothing secret is told',
  );
});

t.test('a service that is dead, or never answers', async (t) => {
  const { answers, outcome, service, logged } = await scene(t);
  answers(() => new Promise<never>(() => undefined));
  const slow = outcome('slow');
  t.equal(await Promise.race([slow, Promise.resolve('waiting')]), 'waiting');
  while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await service.close();
  t.match(await slow, /EOF|ECONNRE/);
  t.match(await outcome('a'), /^Post "https:.*connect: connection refused$/);
  t.match(logged, [/^the webhook for tokens failed: /]);
});
