// Rules in the schemas of definitions, switched on: of definitions, creates, updates and patches.
import t from 'tap';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const GATE = '--feature-gates=CustomResourceValidationExpressions=true';
const server = await startServer({ args: ['--durability', 'relaxed', GATE] });
t.teardown(() => server.stop());
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/rules.example.com/v1/namespaces/default/widgets';
const RULES = 'x-kubernetes-validations';

function definition(rules: readonly Members[], more: Members = {}): Members {
  const integer = { type: 'integer' };
  const spec = {
    type: 'object',
    properties: { min: integer, max: integer, ...more },
    [RULES]: rules,
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.rules.example.com' },
    spec: {
      group: 'rules.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

function widget(spec: Members): Members {
  return { apiVersion: 'rules.example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec };
}

const BOUNDS = { rule: 'self.min <= self.max', message: 'min must not be above max' };
const GROWS = { rule: 'self.max >= oldSelf.max' };

t.test('a definition with a rule that is none is refused', async (t) => {
  const answer = await server.post(DEFINITIONS, definition([{ rule: 'self.middle > 1' }]));
  t.equal(answer.status, 422);
  t.match(
    answer.json['message'],
    `spec.validation.openAPIV3Schema.properties[spec].${RULES}[0].rule: Invalid value: ` +
      'apiextensions.ValidationRule{Rule:"self.middle > 1", Message:""}: compilation failed: ' +
      "ERROR: <input>:1:5: undefined field 'middle'",
  );
  const nested = { deep: { type: 'integer', default: 3, [RULES]: [{ rule: 'self > 5' }] } };
  const broken = await server.post(DEFINITIONS, definition([BOUNDS], nested));
  t.match(
    broken.json['message'],
    'properties[deep].default: Invalid value: 3: failed rule: self > 5',
  );
});

t.test('objects keep the rules, and updates those about changes', async (t) => {
  t.equal((await server.post(DEFINITIONS, definition([BOUNDS, GROWS]))).status, 201);
  await until(async () => (await server.get(WIDGETS)).status === 200);
  const refused = await server.post(WIDGETS, widget({ min: 3, max: 2 }));
  t.equal(refused.status, 422);
  t.match(refused.json, {
    message:
      'Widget.rules.example.com "w" is invalid: spec: Invalid value: ' +
      'map[string]interface {}{"max":2, "min":3}: min must not be above max',
    details: { causes: [{ reason: 'FieldValueInvalid', field: 'spec' }] },
  });
  t.equal((await server.post(WIDGETS, widget({ min: 1, max: 2 }))).status, 201);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patch = (spec: Members) =>
    server.request('PATCH', `${WIDGETS}/w`, JSON.stringify({ spec }), headers);
  t.equal((await patch({ max: 5 })).status, 200);
  const shrunk = await patch({ max: 4 });
  t.equal(shrunk.status, 422);
  t.match(shrunk.json['message'], 'failed rule: self.max >= oldSelf.max');
  const absent = await patch({ min: null });
  t.match(absent.json['message'], 'no such key: min evaluating rule: min must not be above max');
});

t.test('errors of whole objects show their metadata', async (t) => {
  const rule = "self.metadata.name.startsWith('x')";
  const spec = { type: 'object', properties: { min: { type: 'integer' } } };
  const schema = { type: 'object', properties: { spec }, [RULES]: [{ rule }] };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const headers = { 'content-type': 'application/merge-patch+json' };
  const change = JSON.stringify({ spec: { versions: [version] } });
  const path = `${DEFINITIONS}/widgets.rules.example.com`;
  t.equal((await server.request('PATCH', path, change, headers)).status, 200);
  let message = '';
  await until(async () => {
    const named = { ...widget({ min: 1 }), metadata: { name: 'y' } };
    const answer = await server.post(`${WIDGETS}?dryRun=All`, named);
    message = String(answer.json['message']);
    return answer.status === 422 && message.includes('startsWith');
  });
  t.match(message, '"y" is invalid: <nil>: Invalid value: map[string]interface {}{"apiVersion":');
  t.match(message, '"managedFields":[]interface {}{map[string]interface {}{"apiVersion":');
  t.match(message, `failed rule: ${rule}`);
  t.notMatch(message, '(nil)');
});
