// Webhooks that ask for custom objects in another version than that of the request.
import t from 'tap';
import { patchOf, startAdmissionWebhook } from '../support/admission-webhook.ts';
import { conversionCases } from '../support/conversion-cases.ts';
import { startConversionWebhook } from '../support/conversion-webhook.ts';
import { Hooked } from '../support/hooked.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const conversions = await startConversionWebhook(t);
const webhook = await startAdmissionWebhook(t);
const { define, configure, make, merge, path } = conversionCases(server, conversions);
const here = new Hooked(server, webhook, 'hooked-versions-of');

function rulesOf(plural: string, version: string, resource = plural) {
  const apiGroups = ['flow.example.com'];
  const rule = { operations: ['*'], apiGroups, apiVersions: [version], resources: [resource] };
  return { rules: [rule], namespaceSelector: {} };
}

t.test('objects are converted for the webhook, and what it makes of them back', async (t) => {
  await define('hookeds');
  await here.register(t, 'Mutating', {
    convert: {
      ...rulesOf('hookeds', 'v2'),
      behaviour: ({ request }) =>
        request.operation === 'DELETE'
          ? {}
          : patchOf({ op: 'replace', path: '/spec/host', value: 'changed' }),
    },
  });
  const made = await make('hookeds', 'v1', 'a', { hostPort: 'h:1' });
  t.equal(made.status, 201, made.text);
  t.equal(made.json.spec.hostPort, 'changed:1');
  const changed = await merge(path('hookeds', 'v1', 'a'), { spec: { hostPort: 'x:2' } });
  t.equal(changed.json.spec.hostPort, 'changed:2', changed.text);
  const beta = await merge(path('hookeds', 'v3', 'a'), { spec: { port: '3' } });
  t.match(beta.json.spec, { host: 'changed', port: '3' }, beta.text);
  await server.delete(path('hookeds', 'v1', 'a'));
  const [created, updated, , deleted] = here.requests('convert');
  const kind = { group: 'flow.example.com', version: 'v2', kind: 'Hooked' };
  t.match(created, {
    kind,
    requestKind: { ...kind, version: 'v1' },
    resource: { version: 'v2' },
    requestResource: { version: 'v1' },
    object: { apiVersion: 'flow.example.com/v2', spec: { host: 'h', port: '1' } },
  });
  t.match(updated, {
    object: { spec: { host: 'x', port: '2' } },
    oldObject: { apiVersion: 'flow.example.com/v2', spec: { host: 'changed', port: '1' } },
  });
  t.match(deleted, { operation: 'DELETE', object: null, oldObject: { spec: { host: 'changed' } } });
});

t.test('a Scale is one, whatever the version', async (t) => {
  await define('hookedscales');
  await make('hookedscales', 'v1', 'a', { hostPort: 'h:1', replicas: 1 });
  await here.register(t, 'Validating', {
    scales: rulesOf('hookedscales', 'v2', 'hookedscales/scale'),
  });
  const scaled = await merge(`${path('hookedscales', 'v1', 'a')}/scale`, { spec: { replicas: 2 } });
  t.equal(scaled.status, 200, scaled.text);
  const [request] = here.requests('scales');
  const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  t.match(request, {
    kind,
    requestKind: kind,
    resource: { version: 'v2' },
    requestResource: { version: 'v1' },
    object: { spec: { replicas: 2 } },
    oldObject: { spec: { replicas: 1 } },
  });
});

t.test('an object that cannot be converted for a webhook is not written', async (t) => {
  await define('hookedfails');
  await configure('hookedfails', 'fails');
  await here.register(t, 'Validating', { never: rulesOf('hookedfails', 'v2') });
  const made = await make('hookedfails', 'v1', 'a', { hostPort: 'h:1' });
  t.equal(made.status, 500);
  t.equal(
    made.json.message,
    'Internal error occurred: conversion webhook for flow.example.com/v1, Kind=Hookedfail failed: ' +
      'these are not the objects',
  );
  t.same(here.requests('never'), []);
});
