/** A cluster as its etcd has it, made on a server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readBuilt, modelFile } from '../../src/base/built-files.ts';
import type { SchemaModel } from '../../src/codec/model/schema-model.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { NEWEST_MINOR } from '../../src/release/release.ts';
import { snapshotContent } from '../../tools/backup/etcd-snapshot.ts';
import { runImport } from '../../tools/backup/import.ts';
import { boltFile, type Revision } from '../support/bolt-writer.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const BUILD_DIR = join(import.meta.dirname, '../../.build');
const model = readBuilt<SchemaModel>(BUILD_DIR, modelFile(NEWEST_MINOR));

function binary(apiVersion: string, kind: string, message: string, object: object): Buffer {
  const raw = compileProtobufCodec(model, message).encodeObject(object);
  return Buffer.from(wrapProtobuf({ apiVersion, kind, raw }));
}

function configMapOf(name: string, data: Record<string, string>): Buffer {
  const metadata = { name, namespace: 'shop', uid: `uid-${name}` };
  return binary('v1', 'ConfigMap', 'core.v1.ConfigMap', { metadata, data });
}

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.shop.example.com' },
  spec: {
    group: 'shop.example.com',
    names: { kind: 'Site', plural: 'sites', singular: 'site', listKind: 'SiteList' },
    scope: 'Namespaced',
    preserveUnknownFields: false,
    versions: [{ name: 'v1', served: true, storage: true }],
    validation: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { host: { type: 'string' } } } },
      },
    },
  },
};
const SITE = {
  apiVersion: 'shop.example.com/v1',
  kind: 'Site',
  metadata: { name: 'web', namespace: 'shop', uid: 'uid-site', resourceVersion: '7' },
  spec: { host: 'example.com' },
};
const REVISIONS: readonly Revision[] = [
  ['/registry/configmaps/shop/web', configMapOf('web', { a: 'old' })],
  ['/registry/configmaps/shop/gone', configMapOf('gone', { a: 'b' })],
  ['/registry/namespaces/shop', binary('v1', 'Namespace', 'core.v1.Namespace', named('shop'))],
  ['/registry/shop.example.com/sites/shop/web', Buffer.from(JSON.stringify(SITE))],
  ['/registry/configmaps/shop/large', configMapOf('large', { a: 'x'.repeat(20_000) })],
  ['/registry/secrets/shop/hidden', Buffer.from('k8s:enc:aescbc:v1:key1:\u0001')],
  ['/registry/definitions/sites', Buffer.from(JSON.stringify(DEFINITION))],
  ['/registry/configmaps/shop/gone', null],
  ['/registry/configmaps/shop/web', configMapOf('web', { a: 'new' })],
  ['compact_rev_key', Buffer.from('12')],
];

function named(name: string) {
  return { metadata: { name, uid: `uid-${name}` } };
}

t.test('the newest value of each key is made, in the order that it takes', async (t) => {
  const server = await startServer({ test: t, args: ['--api-domain', 'k8s.io'] });
  const file = join(temporaryFolder(), 'snapshot.db');
  // `etcdctl snapshot save` puts a checksum behind the file.
  writeFileSync(file, Buffer.concat([boltFile(REVISIONS), Buffer.alloc(32, 7)]));
  let told = '';
  const output = { write: (text: string) => void (told += text), say: () => undefined };
  const here = `--data-dir=${server.dataDirectory}`;
  const code = await runImport([`--etcd-snapshot=${file}`, here], output);
  t.equal(code, 1, 'one could not be read');
  t.match(told, /^not made: \/registry\/secrets\/shop\/hidden: it is encrypted\nmade 5 objects/);
  const shop = '/api/v1/namespaces/shop/configmaps';
  t.match((await server.get(`${shop}/web`)).json, { data: { a: 'new' } });
  t.equal((await server.get(`${shop}/large`)).json.data.a.length, 20_000);
  t.equal((await server.get(`${shop}/gone`)).status, 404);
  const site = await server.get('/apis/shop.example.com/v1/namespaces/shop/sites/web');
  t.match(site.json, { spec: { host: 'example.com' } });
});

t.test('a file that is something else, or damaged, is told in a line', async (t) => {
  const folder = temporaryFolder();
  const whole = boltFile(REVISIONS);
  const circle = Buffer.from(whole);
  circle.writeBigUInt64LE(3n, 3 * 4096 + 16 + 8);
  const files: Record<string, readonly [Buffer, RegExp]> = {
    empty: [Buffer.alloc(0), /is no snapshot of etcd/],
    text: [Buffer.alloc(20_000, 'text'), /is no snapshot of etcd/],
    short: [whole.subarray(0, 4 * 4096), /is damaged/],
    circle: [circle, /is damaged/],
  };
  for (const [name, [bytes, message]] of Object.entries(files)) {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    t.throws(() => snapshotContent(file), { message }, name);
  }
  const random = Buffer.from(whole);
  for (let at = 2 * 4096; at < whole.length; at += 977) {
    random[at] = 255 - random[at]!;
    const file = join(folder, 'flipped');
    writeFileSync(file, random);
    try {
      snapshotContent(file);
    } catch (error) {
      t.match((error as Error).name, 'ToolError', `a flipped byte at ${at}`);
    }
    random[at] = whole[at]!;
  }
});

t.end();
