// Every kind over HTTP: the rows of `test/catalogue`, in each version that serves the kind.
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { NEUTRAL } from '../../src/semantics/dialect/dialect.ts';
import { gatesWithEffect } from '../../src/release/feature-gates.ts';
import { DEFAULT_RELEASE } from '../../src/release/release.ts';
import { allCatalogueFiles, catalogueDocument, membersOf } from '../support/catalogue.ts';
import type { Change, KindCases } from '../support/kind-cases.ts';
import type { TestObject } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { RESOURCES } from '../support/resources.ts';
import { RowObject } from '../support/row-object.ts';
import { servedPath, servedResource, type ServedResource } from '../support/served-resource.ts';
import { startServer, type Answer, type Server } from '../support/server.ts';
import { settled } from '../support/settled.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';

const files = await allCatalogueFiles(process.argv.slice(2));
const server = await serverWith([]);
const gated = files.some(({ cases }) => cases.featureGates)
  ? await serverWith(gatesWithEffect(DEFAULT_RELEASE).map(([gate]) => gate))
  : server;

async function serverWith(featureGates: readonly string[]): Promise<Server> {
  const gates = featureGates.map((gate) => `${gate}=true`);
  const started = await startServer({
    test: t,
    args: ['--feature-gates', gates.join(','), '--runtime-config', 'api/alpha'],
  });
  // For rows about objects outside of `default`.
  await started.post('/api/v1/namespaces', { metadata: { name: 'other' } });
  // A server makes two by itself: rows say what those have to be.
  await started.delete('/apis/scheduling.cluster.io/v1/priorityclasses');
  return started;
}

/**
 * Rows about the domains themselves: clients know two, and neither is the name of an API group, so
 * that nothing translates them. The others hold in both dialects.
 */
const NEUTRAL_RULES = new Set([
  '15.1: protected groups',
  '15.1: approval',
  'options of the cluster are reserved',
  'flexVolume: options of the cluster are reserved',
]);

/** `<field>: <message>` of each cause of a refusal. */
function causesOf({ json }: Answer): string[] {
  const causes: { field: string; message: string }[] = json?.details?.causes ?? [];
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

class KindOnServer {
  readonly #cases: KindCases;
  readonly #served: ServedResource;
  readonly server: Server;
  /** The rows update this object. */
  readonly updated = new RowObject(
    (first) => this.#madeToUpdate(first),
    (object) => this.remove(object),
  );

  constructor(cases: KindCases) {
    this.#cases = cases;
    this.server = cases.featureGates ? gated : server;
    this.#served = servedResource(cases.apiVersion, cases.kind);
  }

  async #madeToUpdate(first: Change): Promise<TestObject> {
    const { status, text, json } = await this.create('updated', this.#cases.minimal, first);
    if (status !== 201) throw new Error(`what is updated is not created: ${text.slice(0, 300)}`);
    return (await this.settled(json)).json;
  }

  create(unique: string, ...members: readonly Change[]): Promise<Answer> {
    const document = catalogueDocument(this.#cases, unique, ...members);
    return this.server.post(servedPath(this.#served, document.metadata.namespace), document);
  }

  pathOf({ metadata: { namespace, name } }: TestObject): string {
    return `${servedPath(this.#served, namespace)}/${encodeURIComponent(name)}`;
  }

  /** An object that was made, once controllers have said what they say of it. */
  async settled(object: TestObject): Promise<Answer> {
    const path = this.pathOf(object);
    return settled(this.server, path, await this.server.get(path));
  }

  /** At once, whatever the kind's grace or propagation says. */
  async remove(object: TestObject): Promise<void> {
    const options = { gracePeriodSeconds: 0, propagationPolicy: 'Background' };
    const path = this.pathOf(object);
    const { server } = this;
    const { status } = await server.delete(path, options);
    // Those of the system are only deleted among others.
    if (status === 403) await server.delete(servedPath(this.#served, object.metadata.namespace));
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const left = await server.get(path);
      if (left.status === 404) return;
      if (Date.now() > deadline) throw new Error(`${path} is still there: ${left.text}`);
      // Finalizers of the test's own object; what is in a namespace is removed by the server.
      const { finalizers = [], ...metadata } = left.json.metadata;
      if (finalizers.length > 0) await server.put(path, { ...left.json, metadata });
      else if (left.json.kind === 'Namespace') await finalize(server, path, left.json);
      else await sleep(10);
    }
  }
}

/** Finalizers of a namespace's own: the server removes none but its own. */
async function finalize(server: Server, path: string, namespace: TestObject): Promise<void> {
  const finalizers = namespace.spec.finalizers.filter((name: string) => name === 'cluster');
  await server.put(`${path}/finalize`, { ...namespace, spec: { finalizers } });
  await sleep(10);
}

async function checkValid(
  t: Test,
  kind: KindOnServer,
  what: string,
  members: Change,
  stored: Change,
): Promise<void> {
  const made = await kind.create(what, members);
  t.equal(made.status, 201, `${what}: created; ${made.text.slice(0, 400)}`);
  if (made.status !== 201) return;
  t.strictSame(membersOf(made.json), membersOf(stored), `${what}: with its defaults`);
  const path = kind.pathOf(made.json);
  const { server } = kind;
  const read = await kind.settled(made.json);
  const isFollowed = read.json.kind === 'CustomResourceDefinition';
  const shown = ({ json }: Answer): unknown => (isFollowed ? json.spec : json);
  t.strictSame(shown(read), shown(made), `${what}: read as it was answered`);
  const same = await server.put(path, read.json);
  t.equal(same.status, 200, `${what}: written as it was read; ${same.text.slice(0, 400)}`);
  t.strictSame(same.json, read.json, `${what}: which changes nothing, not even its version`);
  await kind.remove(made.json);
}

async function checkUpdate(
  t: Test,
  kind: KindOnServer,
  cases: KindCases,
  row: readonly [string, Change, Change, readonly string[]],
  subresource: string,
): Promise<void> {
  const [rule, first, change, causes] = row;
  const object = await kind.updated.of(first);
  const sent = catalogueDocument(cases, 'updated', object, change);
  const answer = await kind.server.put(`${kind.pathOf(object)}${subresource}`, sent);
  t.equal(answer.status, causes.length === 0 ? 200 : 422, `${rule}; ${answer.text.slice(0, 300)}`);
  t.same(causesOf(answer), causes, rule);
  if (answer.status === 200) await kind.updated.forget();
}

for (const { name, cases } of files) {
  t.test(name, async (t) => {
    const kind = new KindOnServer(cases);
    const { minimal, full, minimalStored, fullStored = full } = cases;
    await checkValid(t, kind, 'minimal', minimal, minimalStored);
    await checkValid(t, kind, 'full', full, fullStored);
    for (const [rule, change, causes] of cases.invalid) {
      if (SERVER_DIALECT !== NEUTRAL && NEUTRAL_RULES.has(rule)) continue;
      const answer = await kind.create('invalid', minimal, change);
      const code = causes.length === 0 ? 201 : 422;
      t.equal(answer.status, code, `${rule}; ${answer.text.slice(0, 300)}`);
      t.same(causesOf(answer), causes, rule);
      if (answer.status === 201) await kind.remove(answer.json);
    }
    for (const row of cases.updates ?? []) await checkUpdate(t, kind, cases, row, '');
    for (const row of cases.statusUpdates ?? []) await checkUpdate(t, kind, cases, row, '/status');
    await kind.updated.forget();
  });
}

t.test('every served resource has a file of rows, in some version', async (t) => {
  const kinds = new Set(files.map(({ cases }) => cases.kind));
  const written = RESOURCES.filter(
    ([, resource, , , verbs]) => !resource.includes('/') && verbs.includes('update'),
  );
  const stored = RESOURCES.filter(
    ([, resource, , , verbs]) => !resource.includes('/') && verbs === 'all',
  );
  const missing = [...written, ...stored].filter(([, , kind]) => !kinds.has(kind));
  t.same([...new Set(missing.map(([, , kind]) => kind))], []);
});

t.test('every version of a resource is served', async (t) => {
  for (const [groupVersion, resource, kind, , verbs] of RESOURCES) {
    if (resource.includes('/') || !(verbs === 'all' || verbs.includes('list'))) continue;
    const { plural } = servedResource(groupVersion, kind);
    const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
    const answer = await server.get(`${root}/${plural}`);
    t.equal(answer.status, 200, `${groupVersion} ${plural}`);
    t.equal(answer.json?.kind, `${kind}List`);
    t.equal(answer.json?.apiVersion, groupVersion);
  }
});
