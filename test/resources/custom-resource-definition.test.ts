// What of a definition is fixed, and what the server keeps of its versions.
import t from 'tap';
import { CUSTOM_RESOURCE_DEFINITION } from '../../src/resources/apiextensions/custom-resource-definition.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import { texts } from './kind-rules.ts';

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
    const all = texts(CUSTOM_RESOURCE_DEFINITION.validate?.(object, stored, '') ?? []);
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
  CUSTOM_RESOURCE_DEFINITION.prepareForUpdate?.(updated, definition({ storedVersions: ['v1'] }));
  t.match(updated['status'], { storedVersions: ['v1', 'v2'] });
  CUSTOM_RESOURCE_DEFINITION.prepareForUpdate?.(updated, updated);
  t.match(updated['status'], { storedVersions: ['v1', 'v2'] }, 'once');
});
