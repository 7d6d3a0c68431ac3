/** Refused applies name conflicts, and force takes the fields. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';
import { parseSet } from './field-paths.ts';

const SPEC = schema(
  `message Object {
    optional Spec spec = 1;
    map<string, string> labels = 2;
  }
  message Spec {
    optional double replicas = 1 [(presence) = true];
    repeated Item list = 2 [
      (list_type) = "map", (list_map_keys) = "key", (list_map_keys) = "id"
    ];
    repeated string set = 3 [(list_type) = "set"];
  }
  message Item { optional string key = 1; optional int32 id = 2; optional string text = 3; }`,
  { ownable: { scale: { only: parseSet('.spec.replicas') } } },
);

t.test('the text of a conflict', async (t) => {
  scenarios(t, SPEC, {
    'with an updater has her version, but not her time': `
      at 7
      update foo   {spec: {replicas: 1}}
      apply ann    {spec: {replicas: 2}}
      says         Apply failed with 1 conflict: conflict with "foo" using v1: .spec.replicas`,
    'with an updater in another version has that': `
      given        {spec: {replicas: 1}}
      own updated foo in v2 .spec.replicas
      apply ann    {spec: {replicas: 2}}
      says         Apply failed with 1 conflict: conflict with "foo" using v2: .spec.replicas`,
    'with an applier has neither': `
      apply foo    {spec: {replicas: 1}}
      apply ann    {spec: {replicas: 2}}
      says         Apply failed with 1 conflict: conflict with "foo": .spec.replicas`,
    'with a subresource names it': `
      at 7
      update foo on scale  {spec: {replicas: 1}}
      apply ann            {spec: {replicas: 2}}
      says         Apply failed with 1 conflict: conflict with "foo" with subresource "scale" \
using v1: .spec.replicas`,
    'with several has them in the order of their names': `
      apply foo    {spec: {replicas: 1}}
      apply bar    {labels: {app: x}}
      apply ann    {spec: {replicas: 2}, labels: {app: y}}
      says         Apply failed with 2 conflicts: conflicts with "bar": | - .labels.app | \
conflicts with "foo": | - .spec.replicas`,
    'with one about several fields has keys in the order of their names': `
      apply foo    {spec: {list: [{key: a, id: 2, text: x}], replicas: 1}}
      apply ann    {spec: {list: [{id: 2, key: a, text: y}], replicas: 2}}
      says         Apply failed with 2 conflicts: conflicts with "foo": | - .spec.replicas | \
- .spec.list[id=2,key="a"].text
      apply foo    {labels: {a: x, b: x}}
      apply ann    {labels: {b: y, a: y}}
      says         Apply failed with 2 conflicts: conflicts with "foo": | - .labels.a | \
- .labels.b`,
    'quotes a strange name': `
      given        {spec: {replicas: 1}}
      own applied foo-bar_1.x .spec.replicas
      apply ann    {spec: {replicas: 2}}
      says         Apply failed with 1 conflict: conflict with "foo-bar_1.x": .spec.replicas`,
  });
});

t.test('a refused apply', async (t) => {
  scenarios(t, SPEC, {
    'changes nothing at all': `
      update bot   {spec: {replicas: 1}, labels: {a: x}}
      apply ann    {spec: {replicas: 2}, labels: {b: y}}
      conflict     updated bot .spec.replicas
      is           {spec: {replicas: 1}, labels: {a: x}}
      updated bot  .spec.replicas .labels{,.a}`,
    'may leave the field out instead': `
      update bot   {spec: {replicas: 1}}
      apply ann    {spec: {replicas: 2}, labels: {b: y}}
      conflict     updated bot .spec.replicas
      apply ann    {labels: {b: y}}
      is           {spec: {replicas: 1}, labels: {b: y}}
      applied ann  .labels.b
      updated bot  .spec.replicas`,
    'may take over the value instead': `
      update bot   {spec: {replicas: 1}}
      apply ann    {spec: {replicas: 2}}
      conflict     updated bot .spec.replicas
      apply ann    {spec: {replicas: 1}}
      applied ann  .spec.replicas
      updated bot  .spec.replicas`,
  });
});

t.test('force', async (t) => {
  scenarios(t, SPEC, {
    'is not needed where nothing conflicts, and does nothing then': `
      apply ann    {spec: {replicas: 1}}
      force ben    {spec: {replicas: 1}}
      applied ann  .spec.replicas
      applied ben  .spec.replicas`,
    'leaves to others what is not in conflict': `
      update bot   {spec: {replicas: 1, set: [a]}, labels: {a: x}}
      force ann    {spec: {replicas: 2, set: [b]}}
      is           {spec: {replicas: 2, set: [a, b]}, labels: {a: x}}
      applied ann  .spec{.replicas,.set[=b]}
      updated bot  .spec.set{,[=a]} .labels{,.a}`,
    'is no excuse for a configuration that does not fit': `
      force ann    {spec: {other: 1}}
      fails        .spec.other: field not declared in schema`,
    'takes back and forth': `
      apply ann    {labels: {a: x}}
      force ben    {labels: {a: y}}
      applied ben  .labels.a
      force ann    {labels: {a: z}}
      applied ann  .labels.a
      is           {labels: {a: z}}`,
    'does not remove what the loser still mentions elsewhere': `
      apply ann    {labels: {a: x, b: x}}
      force ben    {labels: {a: y}}
      apply ann    {labels: {b: x}}
      is           {labels: {a: y, b: x}}
      applied ann  .labels.b
      applied ben  .labels.a`,
  });
});
