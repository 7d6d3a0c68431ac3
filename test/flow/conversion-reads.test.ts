// Objects of types whose definitions name a conversion webhook: read in other versions.
import t from 'tap';
import { conversionCases } from '../support/conversion-cases.ts';
import { startConversionWebhook, type WAYS } from '../support/conversion-webhook.ts';
import type { Members } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ args: ['--durability', 'relaxed'] });
t.teardown(() => server.stop());
const webhook = await startConversionWebhook(t);
const { define, configure, path, make, objectOf } = conversionCases(server, webhook);

t.test('an object is read in each version, as the webhook says', async (t) => {
  await define('firsts');
  await make('firsts', 'v1', 'a', { hostPort: 'h:1' });
  t.same((await server.get(path('firsts', 'v1', 'a'))).json.spec, { hostPort: 'h:1', size: 'big' });
  t.equal(webhook.reviews.length, 0, 'the stored version needs none');

  const read = await server.get(path('firsts', 'v2', 'a'));
  t.equal(read.status, 200, read.text);
  t.equal(read.json.apiVersion, 'flow.example.com/v2');
  t.same(read.json.spec, { host: 'h', port: '1', size: 'big' });
  t.match(webhook.reviews, [
    {
      kind: 'ConversionReview',
      apiVersion: /^apiextensions\.\S+\/v1$/,
      request: {
        desiredAPIVersion: 'flow.example.com/v2',
        objects: [{ apiVersion: 'flow.example.com/v1', kind: 'First', metadata: { name: 'a' } }],
      },
    },
  ]);
  const [sent] = webhook.reviews[0]?.request.objects ?? [];
  t.notOk(JSON.stringify(sent).includes('resourceVersion'), 'as the reference, without a version');
  t.equal(
    read.json.metadata.resourceVersion,
    (await server.get(path('firsts', 'v1', 'a'))).json.metadata.resourceVersion,
  );
});

t.test('lists ask for many objects at once, pages for theirs', async (t) => {
  await define('seconds');
  for (const name of ['a', 'b', 'c']) await make('seconds', 'v1', name, { hostPort: `${name}:1` });
  webhook.reviews.length = 0;
  const list = await server.get(path('seconds', 'v2'));
  t.same(
    list.json.items.map((item: Members) => [item['apiVersion'], item['spec']]),
    ['a', 'b', 'c'].map((host) => ['flow.example.com/v2', { host, port: '1', size: 'big' }]),
  );
  t.equal(webhook.reviews.length, 1);
  t.equal(webhook.reviews[0]?.request.objects.length, 3);
  t.same((await server.get(path('seconds', 'v2'))).json.items, list.json.items);
  t.equal(webhook.reviews.length, 1, 'they are known then');

  const page = await server.get(`${path('seconds', 'v3')}?limit=2`);
  t.equal(page.json.items.length, 2, page.text);
  t.equal(webhook.reviews[1]?.request.objects.length, 2);

  const table = await server.request('GET', path('seconds', 'v2'), undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.cluster.io',
  });
  t.same(
    table.json.rows.map(({ cells }: { cells: unknown[] }) => cells),
    [['a'], ['b'], ['c']].map(([host]) => [host, host]),
  );
  const metadata = await server.request('GET', path('seconds', 'v2'), undefined, {
    accept: 'application/vnd.cluster.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.cluster.io',
  });
  t.equal(metadata.status, 200);
});

t.test('long lists are converted page by page', async (t) => {
  await define('thirds');
  const pad = 'x'.repeat(100_000);
  for (let at = 0; at < 12; at++) {
    await make('thirds', 'v1', `o${at}`, { hostPort: `h${at}:1`, size: pad });
  }
  webhook.reviews.length = 0;
  const list = await server.get(path('thirds', 'v2'));
  t.equal(list.status, 200, list.text.slice(0, 300));
  const hosts = list.json.items.map((item: Members) => (item['spec'] as Members)['host']);
  t.same(
    hosts,
    list.json.items.map((item: Members) =>
      String((item['metadata'] as Members)['name']).replace('o', 'h'),
    ),
  );
  t.equal(hosts.length, 12);
  t.ok(webhook.reviews.length > 2, `${webhook.reviews.length} calls`);
});

t.test('connections are used again', async (t) => {
  t.ok(webhook.connections.length < webhook.reviews.length + 3);
});

const WHAT = 'conversion webhook for flow.example.com/v1, Kind=Fourth';
const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** As the reference says it. */
const REFUSED: Readonly<Partial<Record<keyof typeof WAYS, string | RegExp>>> = {
  fails: `${WHAT} failed: these are not the objects`,
  failsSilently: `${WHAT} failed: response.result.status was 'Failure', not 'Success'`,
  saysNothing: `${WHAT} failed: response.result.status was '', not 'Success'`,
  otherUid:
    /^conversion webhook for \S+ Kind=Fourth failed: expected response.uid="[-0-9a-f]{36}", got "other"$/,
  noResponse: `${WHAT} failed: no response provided`,
  otherReview: `${WHAT} failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion`,
  otherKind: `${WHAT} failed: no kind "Other" is registered for version "apiextensions.cluster.io/v1" in scheme "pkg/runtime/scheme.go:100"`,
  tooFew: `${WHAT} returned 0 objects, expected 1`,
  tooMany: `${WHAT} returned 2 objects, expected 1`,
  versionOfObject: `${WHAT} returned invalid object at index 0: invalid groupVersion (expected flow.example.com/v2, received flow.example.com/v9)`,
  kindOfObject: `${WHAT} returned invalid object at index 0: invalid kind (expected Fourth, received Other)`,
  noKind: /^Object 'Kind' is missing in '\{"apiVersion":"flow.example.com\/v2","metadata":/,
  name: `${WHAT} returned invalid object: must have the same name: a != other`,
  namespace: `${WHAT} returned invalid object: must have the same namespace: default != other`,
  uid: /^conversion webhook for \S+ Kind=Fourth returned invalid object: must have the same UID: \S{36} != other$/,
  badLabels: `${WHAT} returned invalid metadata: [metadata.labels: Invalid value: "-": ${NAME_PART}, metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')]`,
  badAnnotations: `${WHAT} returned invalid metadata: metadata.annotation: Invalid value: "-": ${NAME_PART}`,
  numberLabels: `${WHAT} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
  listLabels: `${WHAT} returned invalid metadata: invalid metadata.labels of type []interface {} in converted object`,
  noMetadata: `${WHAT} returned invalid object: must have the same name: a != `,
  listMetadata: `${WHAT} returned invalid object: must have the same name: a != `,
  nullObject: 'unexpected end of JSON input',
  textObject: 'json: cannot unmarshal string into Go value of type map[string]interface {}',
  // The reference reads it as YAML.
  garbage: `${WHAT} failed: couldn't get version/kind; json parse error: invalid character 'h' in literal true (expecting 'r')`,
  emptyAnswer: `${WHAT} failed: 0-length response with status code: 200 and content type: application/json`,
  list: `${WHAT} failed: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${TYPE}`,
  notFound: `${WHAT} failed: the server could not find the requested resource`,
  broken: `${WHAT} failed: an error on the server ("it is broken") has prevented the request from succeeding`,
  busy: `${WHAT} failed: the server is currently unable to handle the request`,
  cut: `${WHAT} failed: Post "https://127.0.0.1:${webhook.port}/cut?timeout=30s": EOF`,
  // The reference takes it.
  huge: `${WHAT} failed: Post "https://127.0.0.1:${webhook.port}/huge?timeout=30s": the answer is longer than 8388608 bytes`,
};

t.test('what a webhook answers is checked, in the words of the reference', async (t) => {
  await define('fourths');
  const labels = { x: 'y' };
  const object = objectOf('fourths', 'v1', 'a', { hostPort: 'h:1' });
  await server.post(path('fourths', 'v1'), { ...object, metadata: { name: 'a', labels } });
  for (const [way, message] of Object.entries(REFUSED)) {
    await configure('fourths', way as keyof typeof WAYS);
    const { status, json } = await server.get(path('fourths', 'v2', 'a'));
    t.match({ status, ...json }, { status: 'Failure', code: 500, message }, way);
    t.notOk('reason' in json || 'details' in json, `${way}: nothing else is said`);
  }
  t.equal((await server.get(path('fourths', 'v2'))).status, 500, 'lists fail too');
  t.equal((await server.get(path('fourths', 'v1', 'a'))).status, 200, 'what is stored is served');

  const metadataOf = async (way: keyof typeof WAYS): Promise<Members> => {
    await configure('fourths', way);
    const read = await server.get(path('fourths', 'v2', 'a'));
    t.equal(read.status, 200, read.text);
    return read.json.metadata;
  };
  t.same((await metadataOf('labels'))['labels'], { converted: 'yes' });
  t.match(await metadataOf('annotations'), { labels, annotations: { converted: 'yes' } });
  t.equal((await metadataOf('noLabels'))['labels'], undefined);
  t.equal((await metadataOf('finalizers'))['finalizers'], undefined, 'is as it was');
  await configure('fourths', 'unknownMembers');
  const pruned = await server.get(path('fourths', 'v2', 'a'));
  t.notOk('other' in pruned.json, pruned.text);
});

t.test('reviews of v1beta1 are checked less', async (t) => {
  await configure('fourths', 'otherUid', ['v9', 'v1beta1']);
  webhook.reviews.length = 0;
  t.equal((await server.get(path('fourths', 'v2', 'a'))).status, 200);
  t.match(webhook.reviews[0]?.apiVersion, /^apiextensions\.\S+\/v1beta1$/);
  await configure('fourths', 'saysNothing', ['v1beta1']);
  t.match((await server.get(path('fourths', 'v2', 'a'))).json, { message: REFUSED.saysNothing });
});

t.test('a webhook that is not reached is told of', async (t) => {
  const url = webhook.url();
  const { caBundle, port } = webhook;
  const failure = async (client: Parameters<typeof configure>[1]): Promise<string> => {
    await configure('fourths', client);
    const { json } = await server.get(path('fourths', 'v2', 'a'));
    return String(json.message).replace(`${WHAT} failed: `, '');
  };
  const post = (where: string, why: string): string =>
    `Post "https://${where}?timeout=30s": ${why}`;
  const unverified = 'tls: failed to verify certificate: x509:';
  t.equal(
    await failure({ url: 'https://127.0.0.1:1/x', caBundle }),
    post('127.0.0.1:1/x', 'dial tcp 127.0.0.1:1: connect: connection refused'),
  );
  t.equal(
    await failure({ url: url.replace('127.0.0.1', 'localhost'), caBundle }),
    post(
      `localhost:${port}/right`,
      `${unverified} certificate is not valid for any names, but wanted to match localhost`,
    ),
  );
  t.equal(
    await failure({ url }),
    post(`127.0.0.1:${port}/right`, `${unverified} certificate signed by unknown authority`),
  );
  const service = { namespace: 'default', name: 'svc', path: '/right' };
  t.equal(
    await failure({ service, caBundle }),
    post('svc.default.svc:443/right', 'service "svc" not found'),
  );
});
