/** Writes on their way to a shard: what it is asked, and what it never hears of. */
import type { HttpResponse } from 'uWebSockets.js';
import t from 'tap';
import { Exchange } from '../../src/front/exchange.ts';
import { TypeMetrics } from '../../src/front/metrics/request-metrics.ts';
import type { ShardClient } from '../../src/front/resource-requests.ts';
import type { ResourceRoute } from '../../src/front/requests/route.ts';
import { REQUEST_BODY_BYTES_MAX, YAML_BODY_BYTES_MAX } from '../../src/limits.ts';
import { notFound, serviceUnavailable, StatusError } from '../../src/semantics/errors/status.ts';
import { ANSWER_CONTEXT, requestHead } from '../support/answer-context.ts';
import { contextOf, prepared } from '../support/prepared-request.ts';

/** Other tests cover the turns of large bodies. */
const largeBodies = { isLarge: () => false };

const ROUTE: ResourceRoute = {
  verb: 'patch',
  namespace: 'ns',
  name: 'x',
  subresource: 'status',
  shard: 'pods',
  kind: 'Pod',
  message: 'core.v1.Pod',
  version: 1,
  warning: '',
  metrics: new TypeMetrics({ group: '', version: 'v1', resource: 'pods', kind: 'Pod' }),
};
const USER = { name: 'admin', uid: '', groups: [] };
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

interface Sent {
  readonly route?: Partial<ResourceRoute>;
  readonly query?: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly userAgent?: string;
  /** Undefined for one over 3 MiB. */
  readonly body?: string | undefined;
  /** The shard's answer: a document, or what it fails with. */
  readonly answer?: string | Error;
}

interface Outcome {
  readonly code: number;
  /** The type of the answer. */
  readonly type: string;
  readonly warnings: readonly string[];
  readonly text: string;
  /** The requests to the shard, with the text of their bodies. */
  readonly asked: readonly { verb: string; request: object; text: string }[];
  readonly wasRead: boolean;
}

/** A request served with a shard that answers at once. */
function sent(options: Sent): Outcome {
  const { query = '', accept = '', contentType = MERGE, userAgent = '', answer = '{}\n' } = options;
  const warnings: string[] = [];
  let type = '';
  let [code, text, wasRead] = [0, '', false];
  const response = {
    onAborted: () => response,
    cork: (then: () => void) => then(),
    writeStatus: (line: string) => {
      code = Number.parseInt(line, 10);
      return response;
    },
    writeHeader: (name: string, value: string) => {
      if (name === 'Warning') warnings.push(value);
      if (name === 'Content-Type') type = value;
      return response;
    },
    end: (body: Uint8Array) => {
      text = Buffer.from(body).toString();
    },
  };
  const head = requestHead({
    method: 'patch',
    query,
    accept,
    contentType,
    userAgent,
    auditId: 'x',
  });
  const exchange = new Exchange(
    response as unknown as HttpResponse,
    head,
    ANSWER_CONTEXT,
    () => undefined,
  );
  const asked: { verb: string; request: object; text: string }[] = [];
  const ask = (
    verb: string,
    request: object,
    body: Uint8Array | undefined,
    then: (error: Error | undefined, reply: object, body: Uint8Array) => void,
  ): void => {
    asked.push({ verb, request, text: Buffer.from(body ?? []).toString() });
    if (answer instanceof Error) then(answer, {}, Buffer.alloc(0));
    else then(undefined, { code: 200, warnings: ['look out'] }, Buffer.from(answer));
  };
  const shard = { link: { ask }, largeBodies } as unknown as ShardClient;
  const body = 'body' in options ? options.body : '{}';
  const context = contextOf(exchange, { ...ROUTE, ...options.route }, USER);
  try {
    const ready = prepared(shard, context);
    wasRead = ready.readsBody;
    ready.serve(body === undefined ? undefined : Buffer.from(body), undefined);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    context.fail(error);
  }
  return { code, type, warnings, text, asked, wasRead };
}

const TARGET = {
  namespace: 'ns',
  name: 'x',
  version: 1,
  subresource: 'status',
  user: JSON.stringify(USER),
};

/** The request names its manager: webhooks are shown the name where it was sent. */
const NAMED = { manager: 'me', sentManager: 'me' };

t.test('a patch is passed on as it is', async (t) => {
  const rows: [contentType: string, query: string, rest: object][] = [
    ['application/json-patch+json', '', { patchType: 'json', manager: 'client' }],
    [
      `${MERGE}; charset=utf-8`,
      'dryRun=All&fieldManager=me',
      { patchType: 'merge', dryRun: true, ...NAMED },
    ],
    [
      'application/strategic-merge-patch+json',
      'fieldValidation=Strict',
      {
        patchType: 'strategic',
        manager: 'client',
        fieldValidation: 'Strict',
        sentFieldValidation: 'Strict',
      },
    ],
    [APPLY, 'fieldManager=me&force=1', { patchType: 'apply', ...NAMED, force: true }],
  ];
  for (const [contentType, query, rest] of rows) {
    const outcome = sent({ contentType, query, userAgent: 'client/1.23', body: ' whatever' });
    const request = { ...TARGET, dryRun: false, force: false, ...rest };
    t.same(outcome.asked, [{ verb: 'patch', request, text: ' whatever' }], contentType);
    t.equal(outcome.code, 200);
    t.equal(outcome.text, '{}\n');
    t.same(outcome.warnings, ['299 - "look out"']);
  }
});

t.test('a deprecated version warns', async (t) => {
  const outcome = sent({ route: { warning: 'old' } });
  t.same(outcome.warnings, ['299 - "old"', '299 - "look out"']);
  t.match(outcome.asked, [{ request: { manager: 'unknown' } }]);
});

t.test('creates and updates say who asks, and their manager too', async (t) => {
  for (const verb of ['create', 'update'] as const) {
    const route = { verb, subresource: '' };
    const options = { route, contentType: 'application/json', userAgent: 'client/1.23' };
    const base = { ...TARGET, subresource: '', format: 'json', dryRun: false };
    const byAgent = { verb, request: { ...base, manager: 'client' }, text: '{}' };
    t.same(sent(options).asked, [byAgent]);
    const byQuery = { verb, request: { ...base, ...NAMED }, text: '{}' };
    t.same(sent({ ...options, query: 'fieldManager=me' }).asked, [byQuery]);
  }
});

t.test('what a shard refuses a patch with is passed on', async (t) => {
  const { code, text } = sent({ answer: serviceUnavailable('not now') });
  t.equal(code, 503);
  t.match(JSON.parse(text), { kind: 'Status', message: 'not now', code: 503 });
});

t.test('patches that are refused before their body is read', async (t) => {
  const rows: [what: string, options: Sent, code: number, message: string][] = [
    ['no type', { contentType: '' }, 415, '415: Unsupported Media Type'],
    [
      'an unknown type, before the warning and what is accepted',
      { contentType: 'application/json', accept: 'image/png', route: { warning: 'old' } },
      415,
      '415: Unsupported Media Type',
    ],
    ['Accept', { accept: 'image/png' }, 406, '406: Not Acceptable'],
    [
      'options',
      { query: 'force' },
      422,
      'PatchOptions.meta.cluster.io "" is invalid: force: Forbidden: ' +
        'may not be specified for non-apply patch',
    ],
    [
      'no manager',
      { contentType: APPLY, userAgent: 'client/1.23' },
      422,
      'PatchOptions.meta.cluster.io "" is invalid: fieldManager: Required value: ' +
        'is required for apply patch',
    ],
  ];
  for (const [what, options, code, message] of rows) {
    const outcome = sent(options);
    t.match(JSON.parse(outcome.text), { code, message }, what);
    t.same(outcome.asked, [], what);
    t.same(outcome.warnings, [], what);
    t.notOk(outcome.wasRead, what);
  }
});

t.test('how long a patch may be', async (t) => {
  const filled = (start: string, bytes: number): string => start.padEnd(bytes, 'x');
  const rows: [what: string, contentType: string, body: string | undefined, limit: number][] = [
    ['JSON', MERGE, filled('{', REQUEST_BODY_BYTES_MAX), 0],
    ['no JSON, which the shard finds', MERGE, filled('x', REQUEST_BODY_BYTES_MAX), 0],
    ['over 3 MiB', MERGE, undefined, REQUEST_BODY_BYTES_MAX],
    ['applied JSON', APPLY, filled(' \n\t\r{', REQUEST_BODY_BYTES_MAX), 0],
    ['applied YAML', APPLY, filled('a: ', YAML_BODY_BYTES_MAX), 0],
    ['longer YAML', APPLY, filled('a: ', YAML_BODY_BYTES_MAX + 1), YAML_BODY_BYTES_MAX],
    ['nothing but spaces', APPLY, ' '.repeat(REQUEST_BODY_BYTES_MAX), YAML_BODY_BYTES_MAX],
    ['applied, over 3 MiB', APPLY, undefined, REQUEST_BODY_BYTES_MAX],
    ['empty', APPLY, '', 0],
  ];
  for (const [what, contentType, body, limit] of rows) {
    const outcome = sent({ contentType, body, query: 'fieldManager=me' });
    t.equal(outcome.asked.length, limit === 0 ? 1 : 0, what);
    t.equal(outcome.code, limit === 0 ? 200 : 413, what);
    if (limit === 0) continue;
    const message = `Request entity too large: limit is ${limit}`;
    t.match(JSON.parse(outcome.text), { message, reason: 'RequestEntityTooLarge' }, what);
  }
});

const LIST = {
  namespace: 'ns',
  version: 1,
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continue: '',
};

t.test('the shard is told in what form the client wants its answer', async (t) => {
  const table = 'application/json;as=Table;g=meta.cluster.io;v=v1';
  const binary = 'application/vnd.cluster.protobuf';
  const rows: [accept: string, query: string, form: object | undefined, type: string][] = [
    ['', '', undefined, 'application/json'],
    ['application/json, */*', '', undefined, 'application/json'],
    ['application/yaml', '', { encoding: 'yaml' }, 'application/yaml'],
    [binary, '', { encoding: 'protobuf' }, binary],
    [
      table,
      'includeObject=None',
      { encoding: 'json', as: 'Table', metaVersion: 'v1', includeObject: 'None' },
      'application/json',
    ],
  ];
  for (const [accept, query, form, type] of rows) {
    const view = form === undefined ? {} : { form };
    for (const verb of ['get', 'create', 'update', 'delete', 'list'] as const) {
      const route = { verb, subresource: '' };
      const outcome = sent({ accept, query, contentType: '', body: '', route });
      t.equal(outcome.type, type, `${verb} ${accept}`);
      t.equal(outcome.text, '{}\n');
      t.match(outcome.asked, [{ verb, request: { version: 1, ...view } }], `${verb} ${accept}`);
      t.equal('form' in outcome.asked[0]!.request, form !== undefined);
    }
    const patched = sent({ accept, query, route: { subresource: '' } });
    t.match(patched.asked, [{ verb: 'patch', request: view }]);
    t.equal(patched.type, type);
  }
});

t.test('a form that cannot be is refused before anything is done', async (t) => {
  const accept =
    'application/json;as=PartialObjectMetadataList;g=meta.cluster.io;v=v1, application/json';
  const rows: [route: Partial<ResourceRoute>, type: string][] = [
    [{ verb: 'create', subresource: '' }, '*core.Pod'],
    [{ verb: 'update', subresource: 'scale' }, '*autoscaling.Scale'],
  ];
  for (const [route, type] of rows) {
    const outcome = sent({ accept, route });
    t.match(JSON.parse(outcome.text), {
      code: 406,
      message: `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
    });
    t.same(outcome.asked, []);
  }
});

t.test('bodies in protobuf', async (t) => {
  const contentType = 'application/vnd.cluster.protobuf';
  const filled = 'k8s\0'.padEnd(REQUEST_BODY_BYTES_MAX, 'x');
  for (const verb of ['create', 'update', 'delete'] as const) {
    const outcome = sent({ route: { verb }, contentType, body: filled });
    t.match(outcome.asked, [{ verb, request: { format: 'protobuf' } }]);
    t.equal(outcome.asked[0]?.text.length, REQUEST_BODY_BYTES_MAX);
    const long = sent({ route: { verb }, contentType, body: undefined });
    t.equal(long.code, 413);
  }
});

t.test('names reach the shard as the client spells them', async (t) => {
  const labelSelector = 'kubernetes.io/metadata.name=a';
  const fieldSelector = 'metadata.namespace=kube-system';
  const query =
    `labelSelector=${encodeURIComponent(labelSelector)}&limit=1` +
    `&fieldSelector=${encodeURIComponent(fieldSelector)}`;
  const listed = sent({ query, route: { verb: 'list' } });
  t.same(listed.asked[0]?.request, { ...LIST, labelSelector, fieldSelector, limit: 1 });
  t.match(sent({ userAgent: 'kubectl/v1.32' }).asked, [{ request: { manager: 'kubectl' } }]);
  const byQuery = { query: 'fieldManager=kubectl', userAgent: 'x/1' };
  t.match(sent(byQuery).asked, [{ request: { manager: 'kubectl' } }]);
});

t.test('errors are in the encoding of the client, with what it is warned of', async (t) => {
  const outcome = sent({
    accept: 'application/yaml',
    route: { warning: 'use storage.cluster.io/v1' },
    answer: notFound({ group: 'storage.cluster.io', resource: 'csinodes' }, 'x'),
  });
  t.equal(outcome.code, 404);
  t.equal(outcome.type, 'application/yaml');
  t.match(outcome.text, /^message: .*csinodes\.storage\.cluster\.io "x" not found/m);
  t.match(outcome.text, /^ {2}group: storage\.cluster\.io$/m);
  t.same(outcome.warnings, ['299 - "use storage.cluster.io/v1"']);
});
