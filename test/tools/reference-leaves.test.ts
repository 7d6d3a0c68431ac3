/** The leaves of `npm run check:reference`: which places there are, and what is put into them. */
import t from 'tap';
import { MODEL } from '../resources/kind-rules.ts';
import { allCatalogueFiles } from '../support/catalogue.ts';
import type { TestObject } from '../support/kinds.ts';
import { LEAF_DEFINITION } from '../../tools/reference/leaves/custom-leaves.ts';
import {
  mergePatch,
  withoutValue,
  withValue,
  wayTo,
} from '../../tools/reference/leaves/documents.ts';
import { doubtfulValues } from '../../tools/reference/leaves/doubtful-values.ts';
import { leafKinds } from '../../tools/reference/leaves/leaf-kinds.ts';
import { mergeTextWith, textWith } from '../../tools/reference/leaves/leaf-requests.ts';
import {
  messageShape,
  placesOf,
  placeText,
  schemaShape,
  type Shape,
} from '../../tools/reference/leaves/shapes.ts';
import { ValidObjects } from '../../tools/reference/leaves/valid-objects.ts';

function placeTexts(shape: Shape): string[] {
  return [...placesOf(shape)].map(({ path }) => placeText(path));
}

t.test('every member of a kind is a place, in lists and maps too, once', (t) => {
  const places = placeTexts(messageShape(MODEL, 'core.v1.Pod'));
  t.equal(new Set(places).size, places.length);
  const some = [
    'metadata.labels{}',
    'metadata.ownerReferences[].controller',
    'spec.containers[].livenessProbe.httpGet.httpHeaders[].value',
    'spec.ephemeralContainers[].targetContainerName',
    'spec.volumes[].projected.sources[].serviceAccountToken.path',
    'status.conditions[].lastTransitionTime',
  ];
  t.same(
    some.filter((place) => !places.includes(place)),
    [],
  );
  t.end();
});

t.test('a schema that holds schemas is entered twice, and a custom type by its schema', (t) => {
  const places = placeTexts(messageShape(MODEL, 'apiextensions.v1.CustomResourceDefinition'));
  const root = 'spec.versions[].schema.openAPIV3Schema';
  t.ok(places.includes(`${root}.items.additionalProperties`));
  t.notOk(places.includes(`${root}.items.additionalProperties.type`));
  const [version] = LEAF_DEFINITION.spec.versions;
  const metadata = messageShape(MODEL, 'meta.v1.ObjectMeta');
  const custom = placeTexts(schemaShape(version?.schema.openAPIV3Schema, metadata));
  const some = ['spec.keyed[].port', 'spec.mapOfLists{}[]', 'metadata.name', 'spec.formats.cidr'];
  t.same(
    some.filter((place) => !custom.includes(place)),
    [],
  );
  t.end();
});

t.test('every version of every kind has objects to begin with', async (t) => {
  const cases = (await allCatalogueFiles()).map((file) => file.cases);
  const kinds = leafKinds(cases, () => true);
  t.ok(kinds.length > 60, `${kinds.length} kinds`);
  for (const { kind, groupVersion, parts } of kinds) {
    const [part] = parts;
    const documents = part?.candidates('a', 'b') ?? [];
    t.ok(documents.length > 0, `${groupVersion} ${kind}`);
    t.ok(documents.every((document) => document.kind === kind));
    const shared = parts.filter(({ shape }) => shape === part?.shape);
    for (const { path } of part === undefined ? [] : placesOf(part.shape)) {
      const writers = shared.filter(({ includes }) => includes(path));
      if (writers.length !== 1) t.fail(`${placeText(path)} has ${writers.length} writers`);
    }
  }
});

const POD = { spec: { containers: [{ name: 'a' }, { name: 'b', args: ['c', 'd'] }] } };
const ARGUMENT = ['spec', 'containers', '[]', 'args', '[]'];

t.test('a value is changed, taken away or patched at the first place of its path', (t) => {
  const way = wayTo(POD, ARGUMENT) ?? [];
  t.same(way, ['spec', 'containers', 1, 'args', 0]);
  t.equal(wayTo(POD, ['spec', 'volumes', '[]']), undefined);
  const changed = (args: unknown): unknown => [{ name: 'a' }, { name: 'b', args }];
  t.same(withValue(POD, way, 7), { spec: { containers: changed([7, 'd']) } });
  t.same(withoutValue(POD, way), { spec: { containers: changed(['d']) } });
  t.same(mergePatch(POD, way, 7), { spec: { containers: changed([7, 'd']) } });
  t.same(mergePatch(POD, ['spec', 'a', 'b'], 7), { spec: { a: { b: 7 } } });
  t.end();
});

t.test('values are any bytes, and what changes nothing is no request', (t) => {
  const way = wayTo(POD, ARGUMENT) ?? [];
  const text: Shape = { of: 'leaf', type: 'string' };
  const named = (name: string) => {
    const found = doubtfulValues(text).find((value) => value.name === name);
    if (found === undefined) throw new Error(`no value ${name}`);
    return found;
  };
  const bytes = textWith(POD, way, named('not UTF-8'));
  t.ok(Buffer.isBuffer(bytes) && bytes.includes(0xff), 'one byte that is no UTF-8');
  t.equal(textWith({ a: 'x' }, ['a'], named('null')), '{"a":null}');
  t.equal(textWith({ a: 'x' }, ['b'], named('absent')), undefined);
  t.equal(mergeTextWith({ a: 'x' }, ['a'], named('absent')), undefined, 'null says the same');
  const list: Shape = { of: 'list', item: text };
  const texts = doubtfulValues(list).map((value) => textWith({ a: ['x'] }, ['a'], value));
  t.ok(texts.includes('{"a":["x","x"]}') && texts.includes('{"a":"x"}') && texts.includes('{}'));
  t.end();
});

t.test('an object with a place is put together from others when none has it', async (t) => {
  const shape = messageShape(MODEL, 'core.v1.Pod');
  const pod = (volume: object): TestObject => ({
    metadata: { name: 'a' },
    spec: { volumes: [{ name: 'v', ...volume }] },
  });
  // One source for a volume, as servers have it.
  const accepts = async ({ spec }: TestObject): Promise<boolean> =>
    spec.volumes.every((volume: object) => Object.keys(volume).length === 2);
  const parts = new Map([['core.v1.Volume', [{ name: 'w', nfs: { server: 's', path: '/' } }]]]);
  const objects = new ValidObjects(shape, [pod({ emptyDir: {} })], parts, accepts);
  const having = (path: string) => objects.having(['spec', 'volumes', '[]', ...path.split('.')]);
  t.match(await having('emptyDir'), { isValid: true, document: pod({ emptyDir: {} }) });
  const found = await having('nfs.server');
  t.match(found, { isValid: true, way: ['spec', 'volumes', 0, 'nfs', 'server'] });
  t.notOk(found?.document.spec.volumes[0].emptyDir, 'it has no other source');
  const claim = await having('persistentVolumeClaim.claimName');
  t.equal(claim?.isValid, true, 'or from the least that a member asks for');
  const none = new ValidObjects(shape, [pod({ emptyDir: {} })], parts, async () => false);
  const missing = await none.having(['spec', 'hostname']);
  t.match(missing, { isValid: false, way: ['spec', 'hostname'] }, 'or else its parent is there');
});
