/** Watches on their way to the fan-out: what is asked for, in neutral words and in what form. */
import type { HttpResponse } from 'uWebSockets.js';
import t from 'tap';
import { Exchange } from '../../src/front/exchange.ts';
import type { AnswerContext } from '../../src/front/exchange.ts';
import { serve } from '../../src/front/resource-requests.ts';
import type { ShardClient } from '../../src/front/resource-requests.ts';
import type { ResourceRoute } from '../../src/front/route.ts';
import type { WatchOptions } from '../../src/front/watch-fanout.ts';
import type { WatchRequest } from '../../src/shard/shard-protocol.ts';
import { K8S_CONTEXT, NEUTRAL_CONTEXT, requestHead } from '../support/answer-context.ts';
import { thrownStatus } from '../support/thrown-status.ts';

const ROUTE: ResourceRoute = {
  verb: 'watch',
  namespace: '',
  name: '',
  subresource: '',
  shard: 'pods',
  kind: 'Pod',
  message: 'core.v1.Pod',
  version: 0,
  warning: '',
  recordsUser: false,
};
const USER = { name: 'admin', uid: '', groups: [] };

interface Asked {
  readonly query?: Record<string, string>;
  readonly accept?: string;
  readonly route?: Partial<ResourceRoute>;
  readonly context?: AnswerContext;
}

/** What the fan-out is asked to open. */
function opened({ query = {}, accept = '', route, context = NEUTRAL_CONTEXT }: Asked): {
  request: Omit<WatchRequest, 'watchId'>;
  options: WatchOptions;
} {
  const head = requestHead({ accept, query: new URLSearchParams(query).toString() });
  const response = { onAborted: () => undefined } as unknown as HttpResponse;
  const exchange = new Exchange(response, head, context, () => undefined);
  const calls: ReturnType<typeof opened>[] = [];
  const open = (
    _exchange: Exchange,
    request: Omit<WatchRequest, 'watchId'>,
    options: WatchOptions,
  ): void => void calls.push({ request, options });
  const shard = { fanout: { open } } as unknown as ShardClient;
  serve(shard, { ...ROUTE, ...route }, exchange, USER, () => t.fail('a body was read'));
  const [call] = calls;
  if (call === undefined) throw new Error('no watch was opened');
  return call;
}

const PLAIN = {
  version: 0,
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  initialEvents: '',
};

t.test('a watch says in what form it is, but for plain JSON', async (t) => {
  t.same(opened({}).request, PLAIN);
  t.same(opened({ accept: 'application/json;stream=watch' }).request, PLAIN);
  const binary = 'application/vnd.cluster.protobuf;stream=watch, application/json';
  t.same(opened({ accept: binary }).request, { ...PLAIN, form: { encoding: 'protobuf' } });
  const table = 'application/json;as=Table;g=meta.cluster.io;v=v1beta1';
  t.same(opened({ accept: table, query: { includeObject: 'Object' } }).request, {
    ...PLAIN,
    form: { encoding: 'json', as: 'Table', metaVersion: 'v1beta1', includeObject: 'Object' },
  });
  t.match(
    thrownStatus(() => opened({ accept: 'application/yaml' })),
    { code: 406 },
  );
});

t.test('selectors in another dialect', async (t) => {
  const query = {
    labelSelector: 'kubernetes.io/metadata.name in (a)',
    fieldSelector: 'metadata.namespace=kube-system',
  };
  t.same(opened({ query, context: K8S_CONTEXT }).request, {
    ...PLAIN,
    labelSelector: 'cluster.io/metadata.name in (a)',
    fieldSelector: 'metadata.namespace=cluster-system',
  });
  t.same(opened({ query }).request, { ...PLAIN, ...query }, 'are not touched in the neutral one');
});

t.test('a name in the path is neutral already, that of a selector beside it is not', async (t) => {
  const route = { kind: 'Namespace', message: 'core.v1.Namespace', name: 'cluster-system' };
  const context = K8S_CONTEXT;
  const fieldSelector = 'metadata.name=cluster-system';
  t.match(opened({ route, context }).request, { fieldSelector });
  const query = { fieldSelector: 'metadata.name=kube-system' };
  t.match(opened({ route, context, query }).request, { fieldSelector });
  t.match(
    thrownStatus(() => opened({ route, context, query: { fieldSelector } })),
    { code: 400, message: "fieldSelector metadata.name doesn't match requested name" },
  );
});
