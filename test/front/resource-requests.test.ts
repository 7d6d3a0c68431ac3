/** Writes on their way to a shard: what it is asked, and what it never hears of. */
import type { HttpResponse } from 'uWebSockets.js';
import t from 'tap';
import { Exchange } from '../../src/front/exchange.ts';
import { serve } from '../../src/front/resource-requests.ts';
import type { ShardClient } from '../../src/front/resource-requests.ts';
import type { ResourceRoute } from '../../src/front/route.ts';
import { REQUEST_BODY_BYTES_MAX, YAML_BODY_BYTES_MAX } from '../../src/limits.ts';
import { serviceUnavailable, StatusError } from '../../src/semantics/status.ts';

const ROUTE: ResourceRoute = {
  verb: 'patch',
  namespace: 'ns',
  name: 'x',
  subresource: 'status',
  shard: 'pods',
  version: 1,
  warning: '',
  recordsUser: false,
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
  readonly warnings: readonly string[];
  readonly text: string;
  /** What the shard was asked, with the text of its body. */
  readonly asked: readonly { verb: string; request: object; text: string }[];
  readonly wasRead: boolean;
}

/** A request served with a shard that answers at once. */
function sent(options: Sent): Outcome {
  const { query = '', accept = '', contentType = MERGE, userAgent = '', answer = '{}\n' } = options;
  const warnings: string[] = [];
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
      return response;
    },
    end: (body: Uint8Array) => {
      text = Buffer.from(body).toString();
    },
  };
  const head = {
    method: 'patch',
    path: '/',
    query,
    accept,
    acceptEncoding: '',
    ifNoneMatch: '',
    authorization: '',
    contentType,
    contentLength: '',
    userAgent,
    auditId: 'x',
    connection: '',
  };
  const exchange = new Exchange(response as unknown as HttpResponse, head, () => undefined);
  const asked: { verb: string; request: object; text: string }[] = [];
  const ask = (
    verb: string,
    request: object,
    body: Uint8Array,
    then: (error: Error | undefined, reply: object, body: Uint8Array) => void,
  ): void => {
    asked.push({ verb, request, text: Buffer.from(body).toString() });
    if (answer instanceof Error) then(answer, {}, Buffer.alloc(0));
    else then(undefined, { code: 200, warnings: ['look out'] }, Buffer.from(answer));
  };
  const shard = { link: { ask } } as unknown as ShardClient;
  const body = 'body' in options ? options.body : '{}';
  try {
    serve(shard, { ...ROUTE, ...options.route }, exchange, USER, (then) => {
      wasRead = true;
      then(body === undefined ? undefined : Buffer.from(body));
    });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    exchange.sendStatus(error);
  }
  return { code, warnings, text, asked, wasRead };
}

const TARGET = { namespace: 'ns', name: 'x', version: 1, subresource: 'status' };

t.test('a patch is passed on as it is', async (t) => {
  const rows: [contentType: string, query: string, rest: object][] = [
    ['application/json-patch+json', '', { patchType: 'json', manager: 'client' }],
    [
      `${MERGE}; charset=utf-8`,
      'dryRun=All&fieldManager=me',
      { patchType: 'merge', dryRun: true, manager: 'me' },
    ],
    [
      'application/strategic-merge-patch+json',
      'fieldValidation=Strict',
      { patchType: 'strategic', manager: 'client', fieldValidation: 'Strict' },
    ],
    [APPLY, 'fieldManager=me&force=1', { patchType: 'apply', manager: 'me', force: true }],
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

t.test('a deprecated version warns, and kinds that write down who asks are told', async (t) => {
  const outcome = sent({ route: { warning: 'old', recordsUser: true } });
  t.same(outcome.warnings, ['299 - "old"', '299 - "look out"']);
  t.match(outcome.asked, [{ request: { user: USER, manager: 'unknown' } }]);
});

t.test('creates and updates say their manager too', async (t) => {
  for (const verb of ['create', 'update'] as const) {
    const route = { verb, subresource: '' };
    const options = { route, contentType: 'application/json', userAgent: 'client/1.23' };
    const base = { ...TARGET, subresource: '', format: 'json', dryRun: false };
    const byAgent = { verb, request: { ...base, manager: 'client' }, text: '{}' };
    t.same(sent(options).asked, [byAgent]);
    const byQuery = { verb, request: { ...base, manager: 'me' }, text: '{}' };
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

t.end();
