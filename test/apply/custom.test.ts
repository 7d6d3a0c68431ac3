/** Objects of a schema: what the reference does with a definition's objects. */
import t from 'tap';
import { model as MODEL } from '../codec/proto-model.ts';
import { schemaFieldTypes } from '../../src/schema/field-types.ts';
import { StructuralSchema } from '../../src/schema/structural-schema.ts';
import { compileMessageFields } from '../../src/semantics/fields/field-types.ts';
import { scenarios, schema, type Schema } from '../support/apply-scenario.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };

const TYPE = schemaFieldTypes(
  new StructuralSchema({
    type: 'object',
    properties: {
      text: STRING,
      time: { type: 'string', format: 'date-time' },
      port: { 'x-kubernetes-int-or-string': true },
      nullable: { type: 'string', nullable: true },
      map: { type: 'object', additionalProperties: STRING },
      struct: { type: 'object', properties: { x: INTEGER } },
      set: { type: 'array', items: INTEGER, 'x-kubernetes-list-type': 'set' },
      list: {
        type: 'array',
        items: {
          type: 'object',
          properties: { p: INTEGER, q: { type: 'string', default: 'TCP' }, r: STRING },
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['p', 'q'],
      },
      open: {
        type: 'object',
        properties: { k: { type: 'object', properties: { x: INTEGER } } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
      resource: {
        type: 'object',
        properties: { spec: { type: 'object' } },
        'x-kubernetes-embedded-resource': true,
      },
    },
  }),
  compileMessageFields(MODEL, 'meta.v1.ObjectMeta'),
);
const CUSTOM: Schema = { ...schema('message Object {}'), typeOf: () => TYPE };

t.test('objects of a schema', async (t) => {
  scenarios(t, CUSTOM, {
    'what is owned': `
      apply ann {text: "", time: "2021-12-07T10:11:12Z", port: 5, nullable: null, struct: {},
        map: {a: b}, set: [1, 2], list: [{p: 1, r: x}, {p: 2, q: UDP}],
        open: {k: {x: 1}, z: {y: [1], w: {}}},
        resource: {apiVersion: v1, kind: P, metadata: {labels: {a: b}, name: n}}}
      applied ann .list[p=1,q=TCP]{,.p,.r} .list[p=2,q=UDP]{,.p,.q} .map.a .nullable .open.k.x .open.z{,.w,.y} .port .resource.apiVersion .resource.kind .resource.metadata{.labels.a,.name} .set[=1] .set[=2] .struct .text .time`,
    'what a manager leaves out goes, if nobody else owns it': `
      apply ann   {text: a, set: [1, 2], list: [{p: 1, q: TCP, r: x}], open: {k: {x: 1}, z: {y: [1]}}}
      apply ben   {set: [2, 3], list: [{p: 1, q: TCP, r: x}], open: {z: {v: 1}}}
      apply ann   {set: [1]}
      is          {set: [1, 2, 3], list: [{p: 1, q: TCP, r: x}], open: {z: {v: 1}}}
      applied ann .set[=1]
      applied ben .list[p=1,q=TCP]{,.p,.q,.r} .open.z{,.v} .set[=2] .set[=3]`,
    'an update owns what was not there': `
      apply ann   {text: a}
      update bot  {text: a, nullable: q, struct: {x: 0}, open: {k: {x: 2}, n: [1]},
                    list: [{p: 3, q: TCP}]}
      applied ann .text
      updated bot .list .list[p=3,q=TCP]{,.p,.q} .nullable .open{,.k,.k.x,.n} .struct{,.x}`,
    'what does not fit': `
      apply ann {bad: 1}
      fails     .bad: field not declared in schema
      apply ann {time: 5}
      fails     .time: expected string, got &value.valueUnstructured{Value:5}
      apply ann {list: [{r: x}]}
      fails     .list: element 0: associative list with keys has an element that omits key field "p" (and doesn't have default value)`,
    'what is open has members of any name': `
      apply ann   {open: {k: {new: 1}}}
      applied ann .open.k.new`,
    'a conflict': `
      apply ann   {port: 5}
      apply ben   {port: 6}
      conflict    applied ann .port
      apply ben   {port: "5"}
      conflict    applied ann .port
      apply ben   {port: 5}
      applied ann .port
      applied ben .port`,
  });
});
