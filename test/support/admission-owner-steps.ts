/** Owners of objects, and namespaces: who may set the first, and what the second take. */
import { grants, named } from './admission-steps.ts';
import type { Step, UidOf } from './admission-steps.ts';

const NO_FINALIZERS =
  'cannot set blockOwnerDeletion if an ownerReference refers to a resource ' +
  "you can't set finalizers on: , <nil>";

export function namespaceSteps(): readonly Step[] {
  const held = { metadata: { name: 'steps-held', finalizers: ['a.com/hold'] } };
  const object = { metadata: { name: 'c' } };
  return [
    {
      what: 'in no namespace that is there',
      send: 'POST /api/v1/namespaces/steps-none/configmaps',
      body: object,
      code: 404,
      message: 'namespaces "steps-none" not found',
    },
    { what: 'one that is held', send: 'POST /api/v1/namespaces', body: held, code: 201 },
    {
      what: 'an object in it',
      send: 'POST /api/v1/namespaces/steps-held/configmaps',
      body: object,
      code: 201,
    },
    { what: 'its end', send: 'DELETE /api/v1/namespaces/steps-held', code: 200 },
    {
      what: 'another object in it',
      send: 'POST /api/v1/namespaces/steps-held/configmaps',
      body: { metadata: { name: 'd' } },
      code: 403,
      message:
        'unable to create new content in namespace steps-held because it is being terminated',
    },
    {
      what: 'a namespace that stays',
      send: 'DELETE /api/v1/namespaces/default',
      code: 403,
      message: 'this namespace may not be deleted',
    },
    {
      what: 'the held one may go',
      send: 'PATCH /api/v1/namespaces/steps-held',
      body: { metadata: { finalizers: null } },
      code: 200,
    },
  ];
}

export function ownerSteps(): readonly Step[] {
  const owned = (name: string, kind: string, block?: boolean) => (uidOf: UidOf) => {
    const owner = { apiVersion: 'v1', kind, name: 'steps-x', uid: uidOf('steps-x') };
    const reference = { ...owner, ...(block && { blockOwnerDeletion: true }) };
    return { metadata: { name, ownerReferences: [reference] } };
  };
  const write = 'create,patch - configmaps,pods';
  return [
    {
      what: 'a namespace',
      send: 'POST /api/v1/namespaces',
      body: named('steps-owners'),
      code: 201,
    },
    { what: 'an owner', send: 'POST /api/v1/nodes', body: named('steps-x'), code: 201 },
    ...grants({
      writer: [write],
      deleter: [write, 'delete - configmaps'],
      finalizer: [write, 'update - nodes/finalizers'],
    }),
    ...(
      [
        ['writer', 'a', 'Node', false, 201],
        ['writer', 'b', 'Node', true, NO_FINALIZERS],
        ['finalizer', 'b', 'Node', true, 201],
        ['finalizer', 'c', 'Pod', true, NO_FINALIZERS],
        [
          'finalizer',
          'c',
          'Nothing',
          true,
          'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for ' +
            'APIVersion v1 Kind Nothing: no matches for kind "Nothing" in version "v1"',
        ],
      ] as const
    ).map(([as, name, kind, block, outcome]) => ({
      what: `${as} makes what a ${kind} owns`,
      as,
      send: 'POST /api/v1/namespaces/steps-owners/configmaps',
      body: owned(name, kind, block),
      ...(outcome === 201 ? { code: 201 } : { code: 403, message: outcome }),
    })),
    {
      what: 'other owners, by who may not delete',
      as: 'writer',
      send: 'PATCH /api/v1/namespaces/steps-owners/configmaps/a',
      body: { metadata: { ownerReferences: null } },
      code: 403,
      message: "cannot set an ownerRef on a resource you can't delete: , <nil>",
    },
    {
      what: 'labels, by who may not delete',
      as: 'writer',
      send: 'PATCH /api/v1/namespaces/steps-owners/configmaps/a',
      body: { metadata: { labels: { a: 'b' } } },
      code: 200,
    },
    {
      what: 'no owners, by who may delete',
      as: 'deleter',
      send: 'PATCH /api/v1/namespaces/steps-owners/configmaps/a',
      body: { metadata: { ownerReferences: null } },
      code: 200,
    },
  ];
}

/** The owner is of a custom type: `things` of `a.com`. */
export function customOwnerSteps(): readonly Step[] {
  const things = '/apis/a.com/v1/namespaces/default/things';
  const thing = { apiVersion: 'a.com/v1', kind: 'Thing', ...named('steps-thing') };
  const asUser = (as: string) => ({
    what: `${as} makes what a thing owns`,
    as,
    send: 'POST /api/v1/namespaces/default/configmaps',
    body: (uidOf: UidOf) => {
      const { apiVersion, kind, metadata } = thing;
      const { name } = metadata;
      const owner = { apiVersion, kind, name, uid: uidOf(name), blockOwnerDeletion: true };
      return { metadata: { name: 'steps-of-thing', ownerReferences: [owner] } };
    },
  });
  const create = 'create - configmaps';
  return [
    { what: 'a thing', send: `POST ${things}`, body: thing, code: 201 },
    ...grants({ creator: [create], 'thing-finalizer': [create, 'update a.com things/finalizers'] }),
    { ...asUser('creator'), code: 403, message: NO_FINALIZERS },
    { ...asUser('thing-finalizer'), code: 201 },
  ];
}
