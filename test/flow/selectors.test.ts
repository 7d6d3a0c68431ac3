/** Selectors over HTTP on lists and watches. */
import t from 'tap';
import type { Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import {
  KINDS,
  collectionPath,
  configMap,
  kindNamed,
  minimalObject,
  objectPath,
  typePath,
} from '../support/kinds.ts';
import type { Members } from '../support/kinds.ts';
import { newerVersion } from '../support/recorded-history.ts';
import { startServer } from '../support/server.ts';
import type { WatchEvent, WatchStream } from '../support/watch-stream.ts';
import { createNamespaceOf, listPath, namesOf, versionOf } from '../support/whole-list.ts';
import type { ListOptions } from '../support/whole-list.ts';

const ALL = '/api/v1/configmaps';
const ZOO = '/api/v1/namespaces/zoo/configmaps';
const FARM = '/api/v1/namespaces/farm/configmaps';

const server = await startServer({ test: t });
await createNamespaceOf(server, ZOO);
await createNamespaceOf(server, FARM);
const ANIMALS: Readonly<Record<string, Record<string, string>>> = {
  ant: { legs: '6', 'example.com/kind': 'insect' },
  bat: { legs: '2', wings: '', 'example.com/kind': 'mammal' },
  cat: { legs: '4', 'example.com/kind': 'mammal' },
  eel: { legs: '0', 'example.com/kind': 'fish' },
  fox: {},
};
for (const [name, labels] of Object.entries(ANIMALS)) {
  await server.post(ZOO, configMap(name, {}, { labels }));
}
await server.post(FARM, configMap('cat', {}, { labels: { legs: '4' } }));

async function selected(options: ListOptions, path = ZOO): Promise<string[]> {
  const answer = await server.get(listPath(path, options));
  return answer.status === 200 ? namesOf(answer) : [answer.text];
}

function watchPath(options: ListOptions, path = ZOO): string {
  return `${listPath(path, options)}&watch=true`;
}

/** The synthetic events of a watch, in the order of their keys. */
async function initialNames(options: ListOptions, path: string, count: number): Promise<string[]> {
  const watch = await server.watch(watchPath(options, path));
  const events = await watch.take(count);
  watch.close();
  const names: string[] = events.map(({ object }) => object.metadata.name);
  return names.sort();
}

const LABEL_CASES: readonly (readonly [selector: string, names: readonly string[]])[] = [
  ['', ['ant', 'bat', 'cat', 'eel', 'fox']],
  ['legs', ['ant', 'bat', 'cat', 'eel']],
  ['!legs', ['fox']],
  ['wings', ['bat']],
  ['wings=', ['bat']],
  ['legs=4', ['cat']],
  ['legs==4', ['cat']],
  ['legs!=4', ['ant', 'bat', 'eel', 'fox']],
  ['legs in (2, 4)', ['bat', 'cat']],
  ['legs notin (2,4)', ['ant', 'eel', 'fox']],
  ['wings in (,x)', ['bat']],
  ['legs>2', ['ant', 'cat']],
  ['legs<2', ['eel']],
  ['legs>0,legs<6', ['bat', 'cat']],
  ['example.com/kind=mammal,!wings', ['cat']],
  [' legs , example.com/kind notin ( mammal , fish ) ', ['ant']],
  ['legs=4,legs=2', []],
  ['nothing=here', []],
];
for (const [labels, names] of LABEL_CASES) {
  t.test(`label selector '${labels}' on a list and a watch`, async (t) => {
    t.same(await selected({ labels }), names);
    t.same(await selected({ labels, rv: '0' }), names);
    t.same(await initialNames({ labels }, ZOO, names.length), names);
  });
}

const FIELD_CASES: readonly (readonly [selector: string, path: string, names: string[]])[] = [
  ['metadata.name=cat', ZOO, ['cat']],
  ['metadata.name==cat', ZOO, ['cat']],
  ['metadata.name=cat', ALL, ['cat', 'cat']],
  ['metadata.name=dog', ALL, []],
  ['metadata.name=', ALL, []],
  ['metadata.name!=cat', ALL, ['ant', 'bat', 'eel', 'fox']],
  ['metadata.namespace=farm', ALL, ['cat']],
  ['metadata.namespace=zoo', ALL, ['ant', 'bat', 'cat', 'eel', 'fox']],
  ['metadata.namespace!=zoo', ALL, ['cat']],
  ['metadata.namespace=farm', ZOO, []],
  ['metadata.namespace=zoo', ZOO, ['ant', 'bat', 'cat', 'eel', 'fox']],
  ['metadata.namespace!=zoo', ZOO, []],
  ['metadata.namespace=zoo,metadata.name=cat', ALL, ['cat']],
  ['metadata.namespace=none,metadata.name=cat', ALL, []],
  ['metadata.name=cat,metadata.name=cat', ALL, ['cat', 'cat']],
  ['metadata.name=cat,metadata.name=ant', ALL, []],
  ['metadata.name!=cat,metadata.name!=ant', ALL, ['bat', 'eel', 'fox']],
  [',metadata.name=cat,,', FARM, ['cat']],
  ['metadata.name=zoo/cat', ALL, []],
  ['metadata.name=../farm/cat', ZOO, []],
  ['metadata.namespace=zoo/', ALL, []],
  ['metadata.namespace=', ALL, []],
  ['metadata.namespace=zoo,metadata.namespace=farm', ALL, []],
];
for (const [fields, path, names] of FIELD_CASES) {
  t.test(`field selector '${fields}' on ${path}`, async (t) => {
    t.same(await selected({ fields }, path), names);
    t.same(await selected({ fields, limit: 50 }, path), names);
    t.same(await initialNames({ fields }, path, names.length), names);
  });
}

t.test('both selectors together, and percent-encoding of everything', async (t) => {
  t.same(await selected({ labels: 'legs', fields: 'metadata.name!=cat' }), ['ant', 'bat', 'eel']);
  const every = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const query = `labelSelector=${every('legs in (4,6)')}&fieldSelector=${every('metadata.name=cat')}`;
  t.same(namesOf(await server.get(`${ALL}?${query}`)), ['cat', 'cat']);
  t.same(namesOf(await server.get(`${ZOO}?labelSelector=legs+in+(4,6)`)), ['ant', 'cat']);
  t.same(namesOf(await server.get(`${ZOO}?labelSelector=example.com/kind%3Dfish`)), ['eel']);
  t.same(namesOf(await server.get(`${ZOO}?labelSelector=legs=4&fieldSelector=metadata.name=cat`)), [
    'cat',
  ]);
});

t.test('a Secret can be selected by its type', async (t) => {
  const kind = kindNamed('Secret');
  const path = typePath(kind, 'zoo');
  const types = { basic: 'example.com/basic', odd: String.raw`a,b=c\d`, plain: undefined };
  const watch = await server.watch(
    watchPath({ fields: 'type=example.com/basic', rv: await newerVersion(server) }, path),
  );
  for (const [name, type] of Object.entries(types)) {
    const answer = await server.post(path, minimalObject(kind, name, type ? { type } : {}));
    t.equal(answer.status, 201, answer.text);
  }
  const select = async (fields: string): Promise<string[]> => selected({ fields }, path);
  t.same(await select('type=example.com/basic'), ['basic']);
  t.same(await select('type!=example.com/basic'), ['odd', 'plain']);
  t.same(await select('type=Opaque'), ['plain'], 'the default');
  t.same(await select(String.raw`type=a\,b\=c\\d`), ['odd'], 'escaped');
  t.same(await select('type=Opaque,metadata.name=basic'), []);
  t.same(await select('type=,metadata.name=basic'), []);
  t.same(await selected({ fields: 'type=Opaque,metadata.namespace=zoo' }, '/api/v1/secrets'), [
    'plain',
  ]);
  await server.delete(`${path}/plain`);
  await server.delete(`${path}/basic`);
  const again = minimalObject(kind, 'basic', { type: 'example.com/other' });
  await server.post(path, again);
  await server.post(path, minimalObject(kind, 'again', { type: 'example.com/basic' }));
  const events = await watch.take(3);
  t.same(
    events.map(({ type, object }) => `${type} ${object.metadata.name}`),
    ['ADDED basic', 'DELETED basic', 'ADDED again'],
  );
  t.same(await select('type=example.com/basic'), ['again'], 'the index forgets');
  t.same(await select('type=example.com/other'), ['basic']);
  watch.close();
});

t.test('a Namespace can be selected by its phase', async (t) => {
  const path = '/api/v1/namespaces';
  const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
  const rv = await newerVersion(server);
  const [active, terminating] = await Promise.all(
    ['Active', 'Terminating'].map(async (phase) =>
      server.watch(watchPath({ fields: `status.phase=${phase}`, rv }, path)),
    ),
  );
  const created = await server.post(path, held);
  t.equal(created.json?.status?.phase, 'Active');
  t.ok((await selected({ fields: 'status.phase=Active' }, path)).includes('held'));
  const deleted = await server.delete(`${path}/held`);
  t.equal(deleted.json?.status?.phase, 'Terminating');
  t.same(await selected({ fields: 'status.phase=Terminating' }, path), ['held']);
  t.notOk((await selected({ fields: 'status.phase=Active' }, path)).includes('held'));
  t.notOk((await selected({ fields: 'status.phase!=Terminating' }, path)).includes('held'));
  const [added, gone] = await active!.take(2);
  t.equal(added?.raw, `{"type":"ADDED","object":${created.text.trimEnd()}}`);
  expectPrevious(t, gone, created.text, versionOf(deleted));
  const [came] = await terminating!.take(1);
  t.equal(came?.raw, `{"type":"ADDED","object":${deleted.text.trimEnd()}}`);
  const past = await server.watch(watchPath({ fields: 'status.phase=Active', rv }, path));
  t.same(await rawEvents(past, 2), [added?.raw, gone?.raw], 'the same from history');
  for (const watch of [active, terminating, past]) watch!.close();
});

const OWN_FIELDS: Readonly<Record<string, string>> = {
  Secret: 'type',
  Namespace: 'status.phase',
};
for (const kind of KINDS) {
  const own = OWN_FIELDS[kind.kind];
  const otherFields = ['spec.x', 'metadata.labels', 'metadata.uid', 'status.phase', 'type', 'name'];
  if (own !== undefined && !kind.namespaced) otherFields.push('metadata.namespace');
  t.test(`${kind.kind} has ${own ?? 'no'} field of its own to select by`, async (t) => {
    const fields = ['metadata.name=x', ...(own === undefined ? [] : [`${own}=x`])];
    for (const path of new Set([typePath(kind), collectionPath(kind)])) {
      for (const field of fields) t.same(await selected({ fields: field }, path), [], field);
      for (const field of otherFields) {
        if (field === own) continue;
        const message =
          own === undefined
            ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
            : `field label not supported: ${field}`;
        for (const watch of ['', '&watch=true']) {
          const query = listPath(path, { fields: `metadata.name=a,${field}!=x` });
          const answer = await server.get(query + watch);
          expectFailure(t, answer, { code: 400, reason: 'BadRequest', message });
        }
      }
    }
    if (!kind.namespaced) return;
    const path = collectionPath(kind);
    await server.post(typePath(kind, 'farm'), minimalObject(kind, 'selected'));
    for (const field of ['metadata.namespace=farm', 'metadata.name=selected']) {
      t.ok((await selected({ fields: field }, path)).includes('selected'), field);
    }
    t.notOk((await selected({ fields: 'metadata.namespace=zoo' }, path)).includes('selected'));
    await server.delete(objectPath(kind, 'selected', 'farm'));
  });
}

t.test('selectors that do not parse are refused on lists and watches', async (t) => {
  const requirement = 'unable to parse requirement:';
  const cases: readonly (readonly [ListOptions, string | RegExp])[] = [
    [{ labels: 'a,' }, `found '', expected: identifier after ','`],
    [{ labels: 'a b' }, `${requirement} found 'b', expected: in, notin, =, ==, !=, gt, lt`],
    [{ labels: 'a in b' }, `${requirement} found 'b' expected: '('`],
    [
      { labels: 'a=-b' },
      /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a va/,
    ],
    [
      { labels: '-a=b' },
      /^unable to parse requirement: <nil>: Invalid value: "-a": name part must/,
    ],
    [{ labels: 'a>x' }, /^unable to parse requirement: /],
    [
      { fields: 'metadata.name' },
      `invalid selector: 'metadata.name'; can't understand 'metadata.name'`,
    ],
    [{ fields: 'a=b,c>d' }, `invalid selector: 'a=b,c>d'; can't understand 'c>d'`],
    [{ fields: String.raw`a=\x` }, String.raw`invalid field selector: invalid escape sequence: \x`],
  ];
  for (const [options, message] of cases) {
    for (const path of [listPath(ZOO, options), listPath(ALL, options), watchPath(options)]) {
      expectFailure(t, await server.get(path), { code: 400, reason: 'BadRequest', message });
    }
  }
});

/** The object left the selection: its content before the change, under the change's version. */
function expectPrevious(t: Test, event: WatchEvent | undefined, text: string, rv: string): void {
  const before = (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata;
  const object = text
    .trimEnd()
    .replace(`"resourceVersion":"${before.resourceVersion}"`, `"resourceVersion":"${rv}"`);
  t.equal(event?.raw, `{"type":"DELETED","object":${object}}`);
}

/** Changes the labels of one object through all transitions of `x=1`, and gives the events. */
async function transitions(t: Test, path: string): Promise<string[]> {
  const expected: string[] = [];
  const body = (at: number, labels: Members): Members =>
    configMap('mover', { at: `${at}` }, { labels });
  const event = (type: string, text: string): string =>
    `{"type":"${type}","object":${text.trimEnd()}}`;
  const deleted = (text: string, rv: string): string => {
    const old = JSON.parse(text).metadata.resourceVersion;
    return event(
      'DELETED',
      text.replace(`"resourceVersion":"${old}"`, `"resourceVersion":"${rv}"`),
    );
  };
  await server.post(path, body(0, {}));
  let matched = '';
  for (const [at, x] of ['1', '1', undefined, '2', '1', '2', '2', '1'].entries()) {
    const labels = x === undefined ? { y: '1' } : { x };
    const put = await server.put(`${path}/mover`, body(at + 1, labels));
    t.equal(put.status, 200, put.text);
    if (x === '1') expected.push(event(matched === '' ? 'ADDED' : 'MODIFIED', put.text));
    else if (matched !== '') expected.push(deleted(matched, versionOf(put)));
    matched = x === '1' ? put.text : '';
  }
  const plain = await server.watch(
    watchPath({ rv: JSON.parse(matched).metadata.resourceVersion }, path),
  );
  await server.delete(`${path}/mover`);
  const [end] = await plain.take(1);
  plain.close();
  expected.push(deleted(matched, end?.object.metadata.resourceVersion));
  return expected;
}

async function rawEvents(watch: WatchStream, count: number): Promise<string[]> {
  return (await watch.take(count)).map(({ raw }) => raw);
}

t.test('in and out of a selector: live, from history, and after a crash', async (t) => {
  const path = '/api/v1/namespaces/moving/configmaps';
  await createNamespaceOf(server, path);
  const rv = await newerVersion(server);
  const queries = [
    watchPath({ labels: 'x=1', rv }, path),
    watchPath({ labels: 'x in (1,9),!y', rv }, path),
    watchPath({ labels: 'x=1', fields: 'metadata.name=mover', rv }, path),
    watchPath({ labels: 'x=1', fields: 'metadata.namespace=moving', rv }, ALL),
    watchPath({ labels: 'x=1', fields: 'metadata.name!=other', rv }, ALL),
  ];
  const live = await Promise.all(queries.map(async (query) => server.watch(query)));
  const others = await server.watch(
    watchPath({ labels: 'x=1', fields: 'metadata.name=a', rv }, path),
  );
  const expected = await transitions(t, path);
  t.equal(expected.length, 7, 'two transitions in and out, two changes between, and the deletion');
  await server.post(path, configMap('other'));
  for (const watch of live) t.same(await rawEvents(watch, expected.length), expected, 'live');
  const readHistory = async (why: string): Promise<void> => {
    for (const query of queries) {
      const watch = await server.watch(query);
      t.same(await rawEvents(watch, expected.length), expected, `${why}: ${query}`);
      t.equal(watch.events.length, expected.length, 'and nothing else');
      watch.close();
    }
  };
  await readHistory('from history');
  for (const watch of live) t.equal(watch.events.length, expected.length, 'nothing else live');
  t.equal(others.events.length, 0);
  for (const watch of [...live, others]) watch.close();
  await server.kill();
  await server.restart();
  await readHistory('after a crash');
});

t.test('watches by namespace and by name see theirs only', async (t) => {
  const rv = await newerVersion(server);
  const open = async (fields: string): Promise<WatchStream> =>
    server.watch(watchPath({ fields, rv }, ALL));
  const [inFarm, notFarm, hens, notHens] = await Promise.all(
    [
      'metadata.namespace=farm',
      'metadata.namespace!=farm',
      'metadata.name=hen',
      'metadata.name!=hen,metadata.namespace=zoo',
    ].map(open),
  );
  for (const path of [ZOO, FARM]) {
    for (const name of ['hen', 'pig']) await server.post(path, configMap(name));
  }
  for (const path of [ZOO, FARM]) {
    for (const name of ['hen', 'pig']) await server.delete(`${path}/${name}`);
  }
  const shown = async (watch: WatchStream | undefined): Promise<string[]> => {
    const events = await watch!.take(watch === notHens ? 2 : 4);
    watch!.close();
    return events.map(
      ({ type, object }) => `${type} ${object.metadata.namespace}/${object.metadata.name}`,
    );
  };
  t.same(await shown(inFarm), [
    'ADDED farm/hen',
    'ADDED farm/pig',
    'DELETED farm/hen',
    'DELETED farm/pig',
  ]);
  t.same(await shown(notFarm), [
    'ADDED zoo/hen',
    'ADDED zoo/pig',
    'DELETED zoo/hen',
    'DELETED zoo/pig',
  ]);
  t.same(await shown(hens), [
    'ADDED zoo/hen',
    'ADDED farm/hen',
    'DELETED zoo/hen',
    'DELETED farm/hen',
  ]);
  t.same(await shown(notHens), ['ADDED zoo/pig', 'DELETED zoo/pig']);
});

t.end();
