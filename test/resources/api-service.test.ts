// APIServices of this server itself are there from the start; a controller writes about others.
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { API_SERVICE } from '../../src/resources/apiregistration/api-service.ts';
import type { ApiObject } from '../../src/resources/kind.ts';

function created(spec: object): unknown {
  const object: ApiObject = { metadata: {}, spec };
  API_SERVICE.prepareForCreate?.(object, DEFAULT_GATES);
  return object['status'];
}

t.match(created({ version: 'v1' }), {
  conditions: [
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ],
});
t.strictSame(created({ version: 'v1', service: { name: 'a' } }), {});
