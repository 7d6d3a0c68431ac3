/** The documents as a whole: that they hold together, and that they are the same every time. */
import { createHash } from 'node:crypto';
import { Ajv } from 'ajv';
import t from 'tap';
import { packedDocuments } from '../../../src/front/openapi/packed-documents.ts';
import { OpenApiDocuments } from '../../../src/front/openapi/openapi-documents.ts';
import { enabledTypes } from '../../../src/types/runtime-config.ts';
import { catalogueDocument, catalogueFiles } from '../../support/catalogue.ts';
import {
  bytesOf,
  documents,
  documentsOf,
  messages,
  operationsOf,
  parsed,
  referencesIn,
  SOURCE,
  V2,
  v3Of,
} from './documents-under-test.ts';
import type { DocumentV2, Schema } from './documents-under-test.ts';

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

const index = JSON.parse(Buffer.from((await documents.v3Index()).bytes).toString()) as Index;
const sha512 = (bytes: Uint8Array): string =>
  createHash('sha512').update(bytes).digest('hex').toUpperCase();
/** By group, version and kind. */
const kinds = new Map(
  Object.values(V2.definitions).flatMap((definition) =>
    (definition['x-kubernetes-group-version-kind'] ?? []).map(
      ({ group, version, kind }) => [`${group}/${version}/${kind}`, definition] as const,
    ),
  ),
);

t.test('every reference of version 2 resolves', async (t) => {
  t.match(V2, {
    swagger: '2.0',
    info: { title: 'shardplane', version: 'v1.23.17' },
    securityDefinitions: { BearerToken: {} },
  });
  const defined = new Set(Object.keys(V2.definitions).map((name) => `#/definitions/${name}`));
  const references = referencesIn(V2);
  t.same(
    [...references].filter((reference) => !defined.has(reference)),
    [],
  );
  t.same(
    [...defined].filter((name) => !references.has(name)),
    [],
    'and nothing is left over',
  );
});

t.test('every served kind is defined, and its list', async (t) => {
  for (const { group, version, definition } of SOURCE.types) {
    for (const kind of [definition.kind, `${definition.kind}List`]) {
      const { properties = {} } = kinds.get(`${group}/${version}/${kind}`) ?? {};
      t.ok(properties['metadata'] && properties['kind'] && properties['apiVersion'], kind);
    }
  }
  for (const { group, version, kind } of SOURCE.virtualKinds) {
    t.ok(kinds.get(`${group}/${version}/${kind}`)?.properties?.['kind'], kind);
  }
});

t.test('operation ids are unique', async (t) => {
  const ids = Object.values(V2.paths).flatMap((path) =>
    operationsOf(path).map(([, { operationId }]) => operationId),
  );
  t.equal(new Set(ids).size, ids.length);
});

t.test('required members and keys of lists exist', async (t) => {
  for (const [name, { required = [], properties = {} }] of Object.entries(V2.definitions)) {
    for (const member of required) t.ok(properties[member], `${name}: ${member}`);
    for (const [member, property] of Object.entries(properties)) {
      // One list of whole objects says that it is by name, which its items have in the metadata.
      if (member === 'items' && name.endsWith('CSIStorageCapacityList')) continue;
      const keys = (property['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
      const itemName = property.items?.$ref?.replace('#/definitions/', '') ?? '';
      const item = V2.definitions[itemName]?.properties ?? {};
      for (const key of keys) t.ok(item[key], `${name}.${member}: ${key}`);
    }
  }
});

t.test('the index of version 3 has every group version, with its hash', async (t) => {
  const versions = new Set(
    [...SOURCE.types, ...SOURCE.virtualKinds].map(({ group, version }) =>
      group === '' ? `api/${version}` : `apis/${group}/${version}`,
    ),
  );
  for (const root of versions) t.ok(index.paths[root], root);
  for (const [root, { serverRelativeURL }] of Object.entries(index.paths)) {
    const document = await documents.v3(root);
    t.equal(serverRelativeURL, `/openapi/v3/${root}?hash=${document?.hash}`);
    t.equal(document?.hash, document && sha512(bytesOf(document)));
  }
  t.equal(documents.v3('apis/none/v1'), undefined);
  t.equal(documents.v3('constructor'), undefined);
});

t.test('every document of version 3 holds together', async (t) => {
  const paths: string[] = [];
  for (const root of Object.keys(index.paths)) {
    const document = await v3Of(root);
    t.equal(document.openapi, '3.0.0');
    const { schemas } = document.components;
    const defined = new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`));
    const references = referencesIn(document);
    t.same(
      [...references].filter((reference) => !defined.has(reference)),
      [],
      root,
    );
    t.same(
      [...defined].filter((name) => !references.has(name)),
      [],
      `${root}: nothing left over`,
    );
    for (const path of Object.keys(document.paths)) t.ok(path.startsWith(`/${root}/`), path);
    paths.push(...Object.keys(document.paths));
  }
  t.same(paths.sort(), Object.keys(V2.paths).sort(), 'the paths are those of version 2');
});

/** Members of a value that the schema does not have, as validating clients look for them. */
function unknownMembers(schema: Schema, value: unknown, at: string): string[] {
  const name = schema.$ref?.replace('#/definitions/', '');
  if (name !== undefined) return unknownMembers(V2.definitions[name] ?? {}, value, at);
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value.flatMap((item, place) => unknownMembers(items, item, `${at}[${place}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties, additionalProperties } = schema;
  if (properties === undefined && additionalProperties === undefined) return [];
  return Object.entries(value).flatMap(([member, inner]) => {
    const found = properties === undefined ? additionalProperties : properties[member];
    const path = `${at}.${member}`;
    return found === undefined ? [path] : unknownMembers(found, inner, path);
  });
}

/** Text in the schema may be a number all the same: clients know it by its format. */
function asValidated(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const isText = /\.(IntOrString|Quantity)$/.test(name);
      return [name, isText ? { type: ['string', 'number'] as unknown as string } : schema];
    }),
  );
}

t.test('valid objects are valid by the definitions', async (t) => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const files = await catalogueFiles();
  const roots = new Set(files.map(({ cases: { apiVersion } }) => rootOf(apiVersion)));
  ajv.addSchema({ $id: 'v2', definitions: asValidated(V2.definitions) });
  for (const root of roots) {
    const schemas = asValidated((await v3Of(root)).components.schemas);
    ajv.addSchema({ $id: root, components: { schemas } });
  }
  for (const { name, cases } of files) {
    const { apiVersion, kind, minimal, full } = cases;
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const definition = kinds.get(`${group}/${version}/${kind}`);
    const definitionName = Object.keys(V2.definitions).find(
      (key) => V2.definitions[key] === definition,
    );
    const validators = [
      ajv.compile({ $ref: `v2#/definitions/${definitionName}` }),
      ajv.compile({ $ref: `${rootOf(apiVersion)}#/components/schemas/${definitionName}` }),
    ];
    // Clients ask for more than the server in `minimal`: members that have defaults.
    const document = withoutNulls(catalogueDocument(cases, 'x', full));
    for (const validate of validators) {
      t.ok(validate(document), `${name}: ${ajv.errorsText(validate.errors)}`);
    }
    const least = catalogueDocument(cases, 'x', minimal);
    for (const one of [document, least])
      t.same(unknownMembers(definition ?? {}, one, ''), [], name);
  }
  const validate = ajv.compile({ $ref: 'v2#/definitions/io.cluster.api.apps.v1.Deployment' });
  t.notOk(validate({ spec: { replicas: 'many' } }), 'and others are not');
});

/** Clients take null for absent: the server itself writes it for times. */
function withoutNulls(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (_name, value: unknown) => value ?? undefined));
}

function rootOf(apiVersion: string): string {
  return apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
}

t.test('documents are made once, and the same in every process', async (t) => {
  const v2 = await documents.v2();
  t.equal(await documents.v2(), v2);
  t.equal(v2.hash, sha512(bytesOf(v2)));
  t.equal(await documents.v3('api/v1'), await documents.v3('api/v1'));
  let loads = 0;
  const loadDocuments = async (): Promise<Uint8Array> => {
    loads++;
    if (loads === 1) throw new Error('not yet');
    return packedDocuments(SOURCE);
  };
  const again = OpenApiDocuments.of({ ...SOURCE, loadDocuments, loadMessages: () => messages });
  t.equal(loads, 0, 'nothing is done before it is asked for');
  await t.rejects(again.v2(), /not yet/);
  // In another order.
  const [batch, expected] = [await again.v3('apis/batch/v1'), await documents.v3('apis/batch/v1')];
  t.equal(batch?.hash, expected?.hash);
  t.equal((await again.v3Index()).hash, (await documents.v3Index()).hash);
  t.equal((await again.v2()).hash, v2.hash, 'what has failed is tried again');
  t.equal(loads, 2);
});

t.test('what is switched off is not documented', async (t) => {
  const off = 'batch/v1=false,v1/persistentvolumeclaims=false';
  const source = { ...SOURCE, types: enabledTypes(SOURCE.types, off) };
  const { definitions, paths } = parsed(await documentsOf(source).v2()) as DocumentV2;
  t.notOk(paths['/apis/batch/v1/jobs']);
  t.ok(paths['/apis/batch/v1beta1/cronjobs']);
  t.notOk(paths['/api/v1/persistentvolumeclaims']);
  const claim = definitions['io.cluster.api.core.v1.PersistentVolumeClaim'];
  t.ok(claim?.properties?.['kind'], 'a kind that is part of others is one still');
});
