/** Requests find their schemas as in the reference. */
import type { PolicyRulesWithSubjects } from '#messages/flowcontrol.v1beta2';
import t from 'tap';
import { Classifier, type Asked } from '../../src/flow-control/classifier.ts';
import { bySchemaOrder, MANDATORY_SCHEMAS } from '../../src/flow-control/flow-objects.ts';

const NODES = { verbs: ['get', 'list'], apiGroups: [''], resources: ['nodes', 'nodes/status'] };

function schema(name: string, precedence: number, rules: readonly PolicyRulesWithSubjects[]) {
  return { name, uid: name, level: 'x', precedence, rules };
}

function of(user: string, ...groups: string[]) {
  return { name: user, uid: '', groups };
}

const USERS = [{ kind: 'User', user: { name: 'jane' } }];
const SCHEMAS = [
  ...MANDATORY_SCHEMAS,
  schema('nodes', 10, [
    { subjects: USERS, resourceRules: [{ ...NODES, clusterScope: true, namespaces: [] }] },
  ]),
  schema('of-shop', 20, [
    {
      subjects: USERS,
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['shop'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/debug/*'] }],
    },
  ]),
  schema('accounts', 30, [
    {
      subjects: [
        { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
        { kind: 'ServiceAccount', serviceAccount: { namespace: 'b', name: 'x' } },
      ],
      resourceRules: [{ ...NODES, clusterScope: true, namespaces: ['*'] }],
    },
  ]),
].toSorted(bySchemaOrder);
const CLASSIFIER = new Classifier(SCHEMAS, MANDATORY_SCHEMAS[1]!);

const ASKED: Asked = {
  user: of('jane', 'system:authenticated'),
  verb: 'get',
  isResource: true,
  path: '/x',
  group: '',
  version: 'v1',
  resource: 'nodes',
  subresource: '',
  namespace: '',
  name: '',
};

t.test('the first schema of which a rule matches', async (t) => {
  const account = (name: string) => of(`system:serviceaccount:${name}`, 'system:authenticated');
  const path = { isResource: false, resource: '' };
  const rows: readonly [Partial<Asked>, string][] = [
    [{}, 'nodes'],
    [{ subresource: 'status' }, 'nodes'],
    [{ subresource: 'proxy' }, 'catch-all'],
    [{ verb: 'watch' }, 'catch-all'],
    [{ group: 'apps' }, 'catch-all'],
    [{ resource: 'pods', namespace: 'shop' }, 'of-shop'],
    [{ resource: 'pods', namespace: 'other' }, 'catch-all'],
    [{ ...path, path: '/healthz' }, 'of-shop'],
    [{ ...path, path: '/healthz/etcd' }, 'of-shop'],
    [{ ...path, path: '/debug' }, 'catch-all'],
    [{ ...path, path: '/debug/x' }, 'of-shop'],
    [{ ...path, path: '/debugging' }, 'catch-all'],
    [{ user: account('a:any') }, 'accounts'],
    [{ user: account('ab:any') }, 'catch-all'],
    [{ user: account('b:x') }, 'accounts'],
    [{ user: account('b:xy') }, 'catch-all'],
    [{ user: of('root', 'system:masters') }, 'exempt'],
    [{ user: of('nobody') }, 'catch-all'],
  ];
  for (const [asked, name] of rows) {
    t.equal(CLASSIFIER.of({ ...ASKED, ...asked }).name, name, JSON.stringify(asked));
  }
});

t.test('of the same precedence the first by name', async (t) => {
  const everything = MANDATORY_SCHEMAS[1]!.rules;
  const schemas = [schema('b', 5, everything), schema('a', 5, everything)];
  const classifier = new Classifier(schemas.toSorted(bySchemaOrder), schemas[0]!);
  t.equal(classifier.of(ASKED).name, 'a');
});
