/** Objects that nobody owned anything of. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';
import { parseSet } from './field-paths.ts';

const OBJECT = schema(
  `message Object {
    optional Metadata metadata = 1 [(always) = true];
    optional Spec spec = 2;
    optional Spec status = 3;
    optional string text = 4;
    optional int32 number = 5 [(always) = true];
  }
  message Metadata { optional string name = 1; map<string, string> labels = 2; }
  message Spec {
    repeated Item items = 1 [(list_type) = "map", (list_map_keys) = "name"];
    optional double replicas = 2 [(presence) = true];
  }
  message Item { optional string name = 1; optional string image = 2; }`,
  {
    zero: { metadata: {}, spec: {}, status: {}, number: 0 },
    ownable: { '': { except: parseSet('.status') } },
  },
);

const CONFIG = '{metadata: {name: a, labels: {app: x}}, spec: {items: [{name: c, image: d}]}}';

t.test('the first apply', async (t) => {
  scenarios(t, OBJECT, {
    'creates an object, of which nobody owned anything before': `
      apply ann    ${CONFIG}
      applied ann  .metadata.labels.app .spec.items[name=c]{,.name,.image}`,
    'finds an object that belongs to those before': `
      given        {metadata: {name: a, labels: {app: y}}, spec: {}, status: {}, number: 0}
      apply ann    ${CONFIG}
      conflict     updated before-first-apply .metadata.labels.app
      unowned
      force ann    ${CONFIG}
      applied ann  .metadata.labels.app .spec.items[name=c]{,.name,.image}
      updated before-first-apply .metadata.labels
      order        ann before-first-apply`,
    'shares what is equal with those before': `
      at 5
      given        {metadata: {name: a, labels: {app: x}}, spec: {}, status: {}, number: 3}
      apply ann    {metadata: {labels: {app: x}}}
      applied ann at 5  .metadata.labels.app
      updated before-first-apply at 5  .metadata.labels{,.app} .number
      apply ann    {}
      is           {metadata: {name: a, labels: {app: x}}, spec: {}, status: {}, number: 3}`,
    'does not give those before what the endpoint resets': `
      given        {metadata: {}, spec: {replicas: 1}, status: {replicas: 1}, number: 0}
      apply ann    {text: a}
      applied ann  .text
      updated before-first-apply .spec.replicas`,
    'finds an object that has nothing, and nobody was before': `
      given        {metadata: {name: a}, spec: {}, status: {}, number: 0}
      apply ann    {text: a}
      applied ann  .text`,
    'by the second applier is not the first': `
      apply ann    {text: a}
      apply ben    {number: 1}
      applied ann  .text
      applied ben  .number`,
  });
});

t.test('updates of an object that is not tracked', async (t) => {
  scenarios(t, OBJECT, {
    'leave it so': `
      given        {metadata: {name: a}, spec: {}, status: {}, number: 0}
      update bot   {metadata: {name: a, labels: {app: x}}, spec: {}, status: {}, number: 1}
      unowned
      apply ann    {text: a}
      applied ann  .text
      updated before-first-apply .metadata.labels{,.app} .number
      update bot   {metadata: {name: a}, spec: {}, status: {}, number: 2, text: a}
      applied ann  .text
      updated bot  .number`,
    'but its creation is tracked': `
      update bot   {metadata: {name: a}, spec: {replicas: 1}, status: {}, number: 0}
      updated bot  .spec.replicas`,
  });
});
