/** How conflicts name objects: by their keys in the store of the reference. */
import t from 'tap';
import { KINDS } from '../../src/resources/registry.ts';
import { referenceKey } from '../../src/shard/write/reference-key.ts';

t.test('a conflict names the object by its key in the store of the reference', async (t) => {
  const keys: readonly (readonly [plural: string, key: string])[] = [
    ['deployments', '/registry/deployments/shop/a'],
    ['leases', '/registry/leases/shop/a'],
    ['services', '/registry/services/specs/shop/a'],
    ['endpoints', '/registry/services/endpoints/shop/a'],
    ['replicationcontrollers', '/registry/controllers/shop/a'],
    ['nodes', '/registry/minions/shop/a'],
    ['ingresses', '/registry/ingress/shop/a'],
    ['podsecuritypolicies', '/registry/podsecuritypolicy/shop/a'],
    ['apiservices', '/registry/apiregistration.cluster.io/apiservices/shop/a'],
  ];
  for (const [plural, key] of keys) {
    const definition = KINDS.find((one) => one.plural === plural);
    t.equal(definition && referenceKey(definition, 'shop/a'), key, plural);
  }
});

t.test('an object of a custom type is kept below its group, whatever its name', async (t) => {
  const [definition] = KINDS;
  if (definition === undefined) throw new Error('no kinds');
  const { message: _, ...unnamed } = definition;
  const custom = { ...unnamed, group: 'example.org', plural: 'services' };
  t.equal(referenceKey(custom, 'shop/a'), '/registry/example.org/services/shop/a');
});
