// Some members of a definition are fixed, and the server keeps some of its versions.
import t from 'tap';
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import { CUSTOM_RESOURCE_DEFINITION } from '../../src/resources/apiextensions/custom-resource-definition.ts';
import { RawJson } from '../../src/codec/json/raw-json.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import { EmbeddedResources } from '../../src/schema/embedded-metadata.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { model } from '../codec/proto-model.ts';
import { texts } from './kind-rules.ts';
import { PreparedKind } from './prepared-kind.ts';

const embedded = new EmbeddedResources(model);

interface Facts {
  readonly scope?: string;
  readonly kind?: string;
  readonly established?: string;
  readonly storage?: string;
  readonly storedVersions?: readonly string[];
}

function definition(facts: Facts): ApiObject {
  const { scope = 'Cluster', kind = 'Widget', established, storage = 'v1' } = facts;
  const conditions =
    established === undefined ? [] : [{ type: 'Established', status: established }];
  return {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope,
      names: { plural: 'widgets', kind },
      versions: [{ name: 'v0' }, { name: storage, storage: true }],
    },
    status: { conditions, storedVersions: [...(facts.storedVersions ?? ['v1'])] },
  };
}

t.test('scope and kind are fixed once the names are established', async (t) => {
  const errors = (established: string): string[] => {
    const object = definition({ scope: 'Namespaced', kind: 'Gadget' });
    const stored = definition({ established });
    const all = texts(
      CUSTOM_RESOURCE_DEFINITION.validate?.(object, stored, {
        part: '',
        found: [],
        groupVersion: 'apiextensions.cluster.io/v1',
        gates: DEFAULT_GATES,
        embedded,
      }) ?? [],
    );
    return all.filter((text) => text.includes('immutable'));
  };
  t.same(errors('False'), []);
  t.same(errors('True'), [
    'spec.scope: Invalid value: "Namespaced": field is immutable',
    'spec.names.kind: Invalid value: "Gadget": field is immutable',
  ]);
});

t.test('each version that ever was for storage is remembered', async (t) => {
  const updated = definition({ storage: 'v2', storedVersions: ['v1'] });
  CUSTOM_RESOURCE_DEFINITION.prepareForUpdate?.(
    updated,
    definition({ storedVersions: ['v1'] }),
    DEFAULT_GATES,
  );
  t.match(updated['status'], { storedVersions: ['v1', 'v2'] });
  CUSTOM_RESOURCE_DEFINITION.prepareForUpdate?.(updated, updated, DEFAULT_GATES);
  t.match(updated['status'], { storedVersions: ['v1', 'v2'] }, 'once');
});

/** A definition whose one version has this schema, or whose conversion this is. */
function defined(schema: object | undefined, conversion?: object): CustomResourceDefinition {
  return {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
        },
      ],
      conversion: conversion ?? { strategy: 'None' },
    },
    status: { storedVersions: ['v1'] },
  };
}

t.test('what a stored definition breaks already is not held against an update', async (t) => {
  const withItems = (items: object, type: string): object => {
    const list = { type: 'array', items, 'x-kubernetes-list-type': type };
    const keys = type === 'map' ? { 'x-kubernetes-list-map-keys': ['a'] } : {};
    return { type: 'object', properties: { x: { ...list, ...keys } } };
  };
  const property = (x: object): object => ({ type: 'object', properties: { x } });
  const unknown = new RawJson('{"a":1}');
  const webhook = { clientConfig: { url: 'https://a.example' }, conversionReviewVersions: ['v9'] };
  const rows: [rule: string, broken: CustomResourceDefinition][] = [
    ['types', defined(property({ type: 'text' }))],
    ['sets', defined(withItems({ type: 'object' }, 'set'))],
    ['keys', defined(withItems({ type: 'object', properties: { a: { type: 'string' } } }, 'map'))],
    ['pruning', defined(property({ type: 'object', default: unknown }))],
    ['review versions', defined({ type: 'object' }, { strategy: 'Webhook', webhook })],
  ];
  const errors = (object: ApiObject, stored?: ApiObject): string[] =>
    texts(
      CUSTOM_RESOURCE_DEFINITION.validate?.(object, stored, {
        part: '',
        found: [],
        groupVersion: 'apiextensions.cluster.io/v1',
        gates: DEFAULT_GATES,
        embedded,
      }) ?? [],
    );
  for (const [rule, broken] of rows) {
    const sound = defined({ type: 'object' });
    t.equal(errors(broken).length, 1, `${rule}: refused`);
    t.equal(errors(broken, sound).length, 1, `${rule}: in an update too`);
    t.same(errors(broken, broken), [], `${rule}: unless it was so before`);
  }
  const none = defined(undefined);
  t.match(errors(none), ['spec.versions[0].schema.openAPIV3Schema: Required value: schemas are']);
  t.match(errors(none, none), [/Required value: because otherwise all fields are pruned$/]);
});

t.test('rules in schemas that are dropped count as a change', async (t) => {
  const kind = new PreparedKind(CUSTOM_RESOURCE_DEFINITION);
  const { object: stored } = kind.create({ ...defined({ type: 'object' }) });
  const rules = [{ rule: 'true' }];
  const generationOf = (schema: object): number | undefined =>
    kind.replace(stored, { ...defined(schema) }).object.metadata.generation;
  t.equal(generationOf({ type: 'object' }), 1);
  t.equal(generationOf({ type: 'object', 'x-kubernetes-validations': rules }), 2);
});

t.test('rules in schemas stay where there were some', async (t) => {
  const rules = [{ rule: 'self == 1' }];
  const ruled = (): CustomResourceDefinition => {
    const x = { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': rules } };
    return defined({ type: 'object', properties: { x }, 'x-kubernetes-validations': rules });
  };
  const count = (object: CustomResourceDefinition): number =>
    JSON.stringify(object).split('self == 1').length - 1;
  const created = ruled();
  CUSTOM_RESOURCE_DEFINITION.dropDisabled?.(created, new Set());
  t.equal(count(created), 0);
  const updated = ruled();
  CUSTOM_RESOURCE_DEFINITION.dropDisabled?.(updated, new Set(), created);
  t.equal(count(updated), 0);
  const kept = ruled();
  CUSTOM_RESOURCE_DEFINITION.dropDisabled?.(kept, new Set(), ruled());
  t.equal(count(kept), 2);
});

t.test('values in schemas are written anew', async (t) => {
  const values = (...texts: string[]): RawJson[] => texts.map((text) => new RawJson(text));
  const [before, after] = ['{"b":1.0,"a":[1e2,null]}', '{"a":[100,null],"b":1}'];
  const x = { default: new RawJson(before), example: new RawJson(before), enum: values(before) };
  const object = defined({ type: 'object', properties: { x }, anyOf: [{ enum: values('1.50') }] });
  CUSTOM_RESOURCE_DEFINITION.afterDecoding?.(object);
  const text = JSON.stringify(object);
  t.notOk(text.includes('1.0') || text.includes('1.50'));
  t.same(x.default, new RawJson(after));
  t.same([x.example, x.enum[0]], [new RawJson(after), new RawJson(after)]);
  const huge = defined({ default: new RawJson('1e400') });
  t.throws(() => CUSTOM_RESOURCE_DEFINITION.afterDecoding?.(huge), {
    message: 'json: cannot unmarshal number 1e400 into Go value of type float64',
  });
});

t.test('a status without stored versions gets the one for storage', async (t) => {
  for (const status of [{ storedVersions: [] }, {}]) {
    const object = { ...defined({ type: 'object' }), status };
    CUSTOM_RESOURCE_DEFINITION.applyDefaults?.(object, DEFAULT_GATES);
    t.same(object.status, { storedVersions: ['v1'] });
  }
});

t.test('errors whose paths are long are not all written down', async (t) => {
  const name = 'x'.repeat(10_000);
  let schema: object = { type: 'string', nullable: true };
  for (let depth = 0; depth < 200; depth += 1) {
    schema = { type: 'object', properties: { [name]: schema } };
  }
  const deep = defined({ type: 'object', properties: { x: { type: 'object', not: schema } } });
  const errors = CUSTOM_RESOURCE_DEFINITION.validate?.(deep, undefined, {
    part: '',
    found: [],
    groupVersion: 'apiextensions.cluster.io/v1',
    gates: DEFAULT_GATES,
    embedded,
  });
  const characters = (errors ?? []).reduce((sum, { field }) => sum + field.length, 0);
  t.ok(errors !== undefined && errors.length > 0 && characters < 5_000_000, `${characters}`);
});
