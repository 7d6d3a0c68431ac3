/** Watches on their way to the fan-out: what is asked for, and in what form. */
import type { HttpResponse } from 'uWebSockets.js';
import t from 'tap';
import { Exchange } from '../../src/front/exchange.ts';
import { TypeMetrics } from '../../src/front/metrics/request-metrics.ts';
import type { ShardClient } from '../../src/front/resource-requests.ts';
import type { ResourceRoute } from '../../src/front/requests/route.ts';
import type { WatchOptions } from '../../src/front/watch/watch-records.ts';
import type { WatchRequest } from '../../src/protocol/shard-protocol.ts';
import { ANSWER_CONTEXT, requestHead } from '../support/answer-context.ts';
import { contextOf, prepared } from '../support/prepared-request.ts';
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
  metrics: new TypeMetrics({ group: '', version: 'v1', resource: 'pods', kind: 'Pod' }),
};
const USER = { name: 'admin', uid: '', groups: [] };

interface Asked {
  readonly query?: Record<string, string>;
  readonly accept?: string;
  readonly route?: Partial<ResourceRoute>;
}

/** Gives what the fan-out is asked to open. */
function opened({ query = {}, accept = '', route }: Asked): {
  request: Omit<WatchRequest, 'watchId'>;
  options: WatchOptions;
} {
  const head = requestHead({ accept, query: new URLSearchParams(query).toString() });
  const response = { onAborted: () => undefined } as unknown as HttpResponse;
  const exchange = new Exchange(response, head, ANSWER_CONTEXT, () => undefined);
  const calls: ReturnType<typeof opened>[] = [];
  const open = (
    _exchange: Exchange,
    request: Omit<WatchRequest, 'watchId'>,
    options: WatchOptions,
  ): void => void calls.push({ request, options });
  const shard = { fanout: { open } } as unknown as ShardClient;
  const ready = prepared(shard, contextOf(exchange, { ...ROUTE, ...route }, USER));
  t.notOk(ready.readsBody);
  ready.serve(undefined, undefined);
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

t.test('selectors reach the shard as they are', async (t) => {
  const query = {
    labelSelector: 'kubernetes.io/metadata.name in (a)',
    fieldSelector: 'metadata.namespace=kube-system',
  };
  t.same(opened({ query }).request, { ...PLAIN, ...query });
});

t.test('a name in the path selects, and a selector beside it must demand the same', async (t) => {
  const route = { kind: 'Namespace', message: 'core.v1.Namespace', name: 'cluster-system' };
  const fieldSelector = 'metadata.name=cluster-system';
  t.match(opened({ route }).request, { fieldSelector });
  t.match(opened({ route, query: { fieldSelector } }).request, { fieldSelector });
  t.match(
    thrownStatus(() => opened({ route, query: { fieldSelector: 'metadata.name=kube-system' } })),
    { code: 400, message: "fieldSelector metadata.name doesn't match requested name" },
  );
});
