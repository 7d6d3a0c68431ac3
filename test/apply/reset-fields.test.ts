/** Fields that an endpoint lets nobody own. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';
import { parseSet } from './field-paths.ts';

const SPEC = `
  message Object {
    optional Metadata metadata = 1 [(always) = true];
    optional Part spec = 2 [(presence) = true];
    optional Part status = 3 [(presence) = true];
    optional double number = 4 [(presence) = true];
  }
  message Metadata {
    map<string, string> labels = 1;
    map<string, string> annotations = 2;
    repeated string finalizers = 3 [(patch_strategy) = "merge"];
    optional string name = 4;
    optional string namespace = 5;
    optional string generateName = 6;
    optional string uid = 7;
    optional string clusterName = 8;
    optional string resourceVersion = 9;
    optional string selfLink = 10;
    optional int64 generation = 11;
    optional Time creationTimestamp = 12;
    optional Time deletionTimestamp = 13;
  }
  message Part {
    optional string text = 1;
    optional double replicas = 2 [(presence) = true];
    map<string, string> map = 3;
    optional Part part = 4 [(presence) = true];
  }
`.replaceAll('optional Time', 'optional meta.v1.Time');

const ENDPOINTS = schema(SPEC, {
  ownable: {
    '': { except: parseSet('.status') },
    status: { except: parseSet('.spec .metadata') },
    scale: { only: parseSet('.spec.replicas') },
  },
});

t.test('fields that an endpoint resets', async (t) => {
  scenarios(t, ENDPOINTS, {
    'are not the updater’s': `
      update bot   {number: 1, spec: {text: a}, status: {text: b}}
      is           {number: 1, spec: {text: a}, status: {text: b}}
      updated bot  .number .spec{,.text}`,
    'nor what is below them': `
      update bot   {number: 1, status: {part: {part: {text: a}}}}
      updated bot  .number`,
    'are not the applier’s': `
      apply ann    {number: 1, status: {text: b}}
      is           {number: 1, status: {text: b}}
      applied ann  .number`,
    'nor what is below them in a configuration': `
      apply ann    {number: 1, status: {part: {text: a}, map: {a: b}}}
      applied ann  .number`,
    'are neither taken nor a conflict': `
      update bot on status  {status: {text: a, map: {x: y}}}
      update ann            {number: 1, status: {text: b}}
      updated bot on status .status{,.text,.map{,.x}}
      updated ann           .number
      apply cat             {number: 1, status: {text: c}}
      applied cat           .number
      updated bot on status .status{,.text,.map{,.x}}
      updated ann           .number`,
    'are not taken away from the object when an applier drops them': `
      apply ann    {number: 1, status: {text: b}}
      apply ann    {number: 1}
      is           {number: 1, status: {text: b}}`,
    'differ by endpoint': `
      update ann             {spec: {text: a}}
      update bot on status   {spec: {text: a}, status: {text: b}}
      apply cat on status    {status: {replicas: 3}, metadata: {labels: {a: b}}}
      is      {spec: {text: a}, status: {text: b, replicas: 3}, metadata: {labels: {a: b}}}
      updated ann            .spec{,.text}
      updated bot on status  .status{,.text}
      applied cat on status  .status.replicas`,
    'the same name in two endpoints is two owners': `
      update bot             {spec: {text: a}}
      update bot on status   {spec: {text: a}, status: {text: b}}
      updated bot            .spec{,.text}
      updated bot on status  .status{,.text}
      apply ann on status    {status: {text: c}}
      conflict               updated bot on status .status.text`,
  });
});

t.test('an endpoint whose writers own one field', async (t) => {
  const start = `
      apply ann              {spec: {replicas: 1, text: a}}`;
  scenarios(t, ENDPOINTS, {
    'an updater takes it from an applier': `${start}
      update hpa on scale    {spec: {replicas: 2, text: a}}
      applied ann            .spec.text
      updated hpa on scale   .spec.replicas`,
    'an applier takes it by force': `${start}
      apply hpa on scale     {spec: {replicas: 2}}
      conflict               applied ann .spec.replicas
      force hpa on scale     {spec: {replicas: 2}}
      applied ann            .spec.text
      applied hpa on scale   .spec.replicas`,
    'from an updater': `
      update ann             {spec: {replicas: 1, text: a}}
      update hpa on scale    {spec: {replicas: 2, text: a}}
      updated ann            .spec{,.text}
      updated hpa on scale   .spec.replicas`,
    'from an updater by force': `
      update ann             {spec: {replicas: 1, text: a}}
      force hpa on scale     {spec: {replicas: 2}}
      updated ann            .spec{,.text}
      applied hpa on scale   .spec.replicas`,
    'and from herself elsewhere': `${start}
      force ann on scale     {spec: {replicas: 2}}
      applied ann            .spec.text
      applied ann on scale   .spec.replicas`,
    'also by an update': `
      update ann             {spec: {replicas: 1}}
      update ann on scale    {spec: {replicas: 2}}
      updated ann            .spec
      updated ann on scale   .spec.replicas`,
    'an applier who owned nothing else has no entry then': `
      apply ann              {spec: {replicas: 1}}
      update hpa on scale    {spec: {replicas: 2}}
      updated hpa on scale   .spec.replicas`,
    'an equal value is shared': `${start}
      apply ann on scale     {spec: {replicas: 1}}
      applied ann            .spec{.text,.replicas}
      applied ann on scale   .spec.replicas
      apply ann              {spec: {text: a}}
      is                     {spec: {text: a, replicas: 1}}
      applied ann            .spec.text
      applied ann on scale   .spec.replicas`,
    'what else changes on the way is not owned': `${start}
      update hpa on scale    {spec: {replicas: 2, text: b}, number: 2}
      applied ann            .spec.text
      updated hpa on scale   .spec.replicas`,
  });
});

t.test('metadata that the server keeps', async (t) => {
  scenarios(t, ENDPOINTS, {
    'is never owned by an updater': `
      update bot  {apiVersion: v1, kind: Object, metadata: {name: b, namespace: b, uid: b,
        clusterName: b, generation: 1, resourceVersion: "1", selfLink: x,
        creationTimestamp: "2030-01-01T00:00:00Z"}}
      unowned`,
    'nor by an applier': `
      apply ann   {apiVersion: v1, kind: Object, metadata: {name: b, namespace: b, uid: b,
        clusterName: b, generation: 1, resourceVersion: "1", selfLink: x,
        creationTimestamp: ~}}
      unowned`,
    'while labels and the like are': `
      apply ann    {metadata: {name: b, labels: {a: b}, annotations: {c: d}, finalizers: [e],
        generateName: f}}
      applied ann  .metadata{.labels.a,.annotations.c,.finalizers[=e],.generateName}
      update bot   {metadata: {name: b, labels: {a: c}, annotations: {c: d}, finalizers: [e],
        generateName: f, deletionTimestamp: "2030-01-01T00:00:00Z"}}
      applied ann  .metadata{.annotations.c,.finalizers[=e],.generateName}
      updated bot  .metadata{.labels.a,.deletionTimestamp}`,
    'a created map of labels belongs to its creator': `
      update bot   {metadata: {name: b, labels: {a: b}}}
      updated bot  .metadata.labels{,.a}`,
  });
});
