import type { Change, KindCases } from '../../support/kind-cases.ts';

const USER = { kind: 'User', user: { name: '*' } };
const RESOURCE = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const URLS = { verbs: ['get'], nonResourceURLs: ['/healthz'] };
const RULES = { subjects: [USER], resourceRules: [RESOURCE] };
const LEVEL = { priorityLevelConfiguration: { name: 'low' } };
const rules = (members: Change): Change => ({ spec: { rules: [{ ...RULES, ...members }] } });
const resource = (members: Change): Change =>
  rules({ resourceRules: [{ ...RESOURCE, ...members }] });
const urls = (members: Change): Change => rules({ nonResourceRules: [{ ...URLS, ...members }] });
const FIRST = 'spec.rules[0]';
const RULE = `${FIRST}.resourceRules[0]`;
const URL_RULE = `${FIRST}.nonResourceRules[0]`;

const EXEMPT_SPEC = {
  priorityLevelConfiguration: { name: 'exempt' },
  matchingPrecedence: 1,
  rules: [
    {
      subjects: [{ kind: 'Group', group: { name: 'system:masters' } }],
      resourceRules: [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
      ],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    },
  ],
};

const FULL_SPEC = {
  ...LEVEL,
  matchingPrecedence: 5,
  distinguisherMethod: { type: 'ByUser' },
  rules: [
    {
      subjects: [
        USER,
        { kind: 'Group', group: { name: 'a' } },
        { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
      ],
      resourceRules: [{ ...RESOURCE, clusterScope: true, namespaces: ['a', 'b'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/', '/a/*'] }],
    },
  ],
};

export const CASES: KindCases = {
  apiVersion: 'flowcontrol.apiserver.cluster.io/v1beta2',
  kind: 'FlowSchema',
  minimal: { spec: LEVEL },
  minimalStored: { spec: { ...LEVEL, matchingPrecedence: 1000 }, status: {} },
  full: {
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: {},
  },
  invalid: [
    [
      'flow: a level',
      { spec: { priorityLevelConfiguration: undefined } },
      ['spec.priorityLevelConfiguration.name: Required value: must reference a priority level'],
    ],
    [
      'flow: precedence is positive',
      { spec: { matchingPrecedence: -1 } },
      ['spec.matchingPrecedence: Invalid value: -1: must be a positive value'],
    ],
    [
      'flow: precedence to 10000',
      { spec: { matchingPrecedence: 10_001 } },
      ['spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000'],
    ],
    [
      'flow: exempt is what it is',
      {
        metadata: { name: 'exempt' },
        spec: { ...EXEMPT_SPEC, matchingPrecedence: 1, distinguisherMethod: undefined },
      },
      [],
    ],
    [
      'flow: catch-all is what it is',
      {
        metadata: { name: 'catch-all' },
        spec: { ...EXEMPT_SPEC, matchingPrecedence: 2, distinguisherMethod: undefined },
      },
      [
        `spec: Invalid value: ${JSON.stringify({ ...EXEMPT_SPEC, matchingPrecedence: 2 })}: ` +
          "spec of 'catch-all' must equal the fixed value",
      ],
    ],
    [
      'flow: precedence 1',
      { spec: { matchingPrecedence: 1 } },
      [
        'spec.matchingPrecedence: Invalid value: 1: ' +
          "only the schema named 'exempt' may have matchingPrecedence 1",
      ],
    ],
    [
      'flow: distinguisher',
      { spec: { distinguisherMethod: { type: 'ByName' } } },
      [
        'spec.distinguisherMethod.type: Unsupported value: "ByName": ' +
          'supported values: "ByNamespace", "ByUser"',
      ],
    ],
    [
      'flow: subjects and rules',
      { spec: { rules: [{}] } },
      [
        `${FIRST}.subjects: Required value: subjects must contain at least one value`,
        `${FIRST}: Required value: ` +
          'at least one of resourceRules and nonResourceRules has to be non-empty',
      ],
    ],
    [
      'flow: kinds of subjects',
      rules({ subjects: [{ kind: 'Pod' }] }),
      [
        `${FIRST}.subjects[0].kind: Unsupported value: "Pod": ` +
          'supported values: "Group", "ServiceAccount", "User"',
      ],
    ],
    [
      'flow: the subject of the kind',
      rules({ subjects: [{ kind: 'User', group: { name: 'a' } }] }),
      [
        `${FIRST}.subjects[0].user: Required value: user is required when subject kind is 'User'`,
        `${FIRST}.subjects[0].group: Forbidden: ` +
          "group is forbidden when subject kind is not 'Group'",
      ],
    ],
    [
      'flow: accounts',
      rules({ subjects: [{ kind: 'ServiceAccount', serviceAccount: {} }] }),
      [
        `${FIRST}.subjects[0].serviceAccount.name: Required value`,
        `${FIRST}.subjects[0].serviceAccount.namespace: Required value: ` +
          'must specify namespace for service account',
      ],
    ],
    [
      'flow: resource rules say all',
      rules({ resourceRules: [{}] }),
      [
        `${RULE}.verbs: Required value: verbs must contain at least one value`,
        `${RULE}.apiGroups: Required value: resource rules must supply at least one api group`,
        `${RULE}.resources: Required value: resource rules must supply at least one resource`,
        `${RULE}.namespaces: Required value: ` +
          'resource rules that are not cluster scoped must supply at least one namespace',
      ],
    ],
    [
      'flow: verbs',
      resource({ verbs: ['eat'] }),
      [
        `${RULE}.verbs: Unsupported value: ["eat"]: supported values: "create", "delete", ` +
          '"deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      ],
    ],
    [
      'flow: all is all',
      resource({ resources: ['*', 'pods'] }),
      [
        `${RULE}.resources: Invalid value: []string{"*", "pods"}: ` +
          "if '*' is present, must not specify other resources",
      ],
    ],
    [
      'flow: namespaces',
      resource({ namespaces: ['A'] }),
      [
        `${RULE}.namespaces[0]: Invalid value: "A": each member of this list must be '*' or a ` +
          'DNS-1123 label; a lowercase RFC 1123 label must consist of lower case alphanumeric ' +
          "characters or '-', and must start and end with an alphanumeric character (e.g. " +
          "'my-name',  or '123-abc', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      'flow: URLs start with a slash',
      urls({ nonResourceURLs: ['a'] }),
      [`${URL_RULE}.nonResourceURLs[0]: Invalid value: "a": must start with slash`],
    ],
    [
      'flow: URLs',
      urls({ nonResourceURLs: [] }),
      [
        `${URL_RULE}.nonResourceURLs: Required value: ` +
          'nonResourceURLs must contain at least one value',
      ],
    ],
    [
      'flow: forms of URLs',
      urls({ nonResourceURLs: ['', '/a b', '/a//b'] }),
      [
        `${URL_RULE}.nonResourceURLs[0]: Invalid value: "": must not be empty`,
        `${URL_RULE}.nonResourceURLs[1]: Invalid value: "/a b": must not contain white-space`,
        `${URL_RULE}.nonResourceURLs[2]: Invalid value: "/a//b": must not contain double slash`,
      ],
    ],
    [
      'flow: URLs end in a wildcard',
      urls({ nonResourceURLs: ['/a*'] }),
      [
        `${URL_RULE}.nonResourceURLs[0]: Invalid value: "/a*": ` +
          'wildcard can only do suffix matching',
      ],
    ],
  ],
  updates: [['flow: may change', {}, { spec: { matchingPrecedence: 2 } }, []]],
  statusUpdates: [
    [
      'flow: conditions',
      {},
      { status: { conditions: [{ type: 'Dangling' }, { type: 'Dangling' }, {}] } },
      [
        'status.conditions[1].type: Duplicate value: "Dangling"',
        'status.conditions[2].type: Required value: must not be empty',
      ],
    ],
    [
      'flow: a status update leaves all metadata alone',
      {},
      { metadata: { deletionGracePeriodSeconds: 1, generateName: 'A/', labels: { 'a b': '' } } },
      [],
    ],
  ],
};
