/** Which names of a definition are accepted, and what its status says about it. */
import t from 'tap';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from '#messages/apiextensions.v1';
import {
  definitionStatus,
  type DefinitionSurroundings,
} from '../../src/types/custom/definition-status.ts';

const NOW = '2026-01-01T00:00:00Z';
const LATER = '2026-01-01T00:00:09Z';
const FOO: CustomResourceDefinitionNames = {
  plural: 'foos',
  singular: 'foo',
  kind: 'Foo',
  listKind: 'FooList',
};

interface Facts {
  readonly group?: string;
  readonly names?: CustomResourceDefinitionNames;
  readonly status?: CustomResourceDefinitionStatus;
  readonly annotations?: Record<string, string>;
}

function definition(facts: Facts = {}): CustomResourceDefinition {
  const { group = 'example.com', names = FOO, annotations = {} } = facts;
  const status = facts.status ?? { storedVersions: ['v1'] };
  return { metadata: { name: `foos.${group}`, annotations }, spec: { group, names }, status };
}

function statusOf(
  facts: Facts,
  surroundings: Partial<DefinitionSurroundings> = {},
  now = NOW,
): CustomResourceDefinitionStatus | undefined {
  return definitionStatus(definition(facts), { others: [], ...surroundings }, now);
}

/** `Established=True InitialNamesAccepted (2026…): the initial names have been accepted`. */
function told(status: CustomResourceDefinitionStatus | undefined): string[] {
  return (status?.conditions ?? []).map(
    ({ type, status: is, reason, message, lastTransitionTime: since }) =>
      `${type}=${is} ${reason} ${since === NOW ? 'now' : 'later'}: ${message}`,
  );
}

t.test('names that nobody has are accepted, and the type is served', async (t) => {
  const status = statusOf({ names: { ...FOO, shortNames: ['f'], categories: ['all'] } });
  t.same(status?.acceptedNames, { ...FOO, shortNames: ['f'], categories: ['all'] });
  t.same(told(status), [
    'NamesAccepted=True NoConflicts now: no conflicts found',
    'Established=True InitialNamesAccepted now: the initial names have been accepted',
  ]);
  t.same(status?.storedVersions, ['v1'], 'what else it says stays');
  const stored = {
    names: { ...FOO, shortNames: ['f'], categories: ['all'] },
    status: status ?? {},
  };
  t.equal(statusOf(stored, {}, LATER), undefined, 'and then there is nothing to say');
});

t.test('who was first keeps the names', async (t) => {
  const bar = { plural: 'bars', singular: 'foo', kind: 'Foo', listKind: 'BarList' };
  const other = { ...FOO, shortNames: ['f'] };
  const rows: [
    names: CustomResourceDefinitionNames,
    accepted: CustomResourceDefinitionNames,
    reason: string,
    text: string,
  ][] = [
    [
      { ...FOO, plural: 'bars' },
      { plural: 'bars' },
      'ListKindConflict',
      '"FooList" is already in use',
    ],
    [bar, { plural: 'bars', listKind: 'BarList' }, 'KindConflict', '"Foo" is already in use'],
    [
      { ...bar, kind: 'Bar' },
      { plural: 'bars', kind: 'Bar', listKind: 'BarList' },
      'SingularConflict',
      '"foo" is already in use',
    ],
    [
      {
        ...bar,
        kind: 'Bar',
        singular: 'bar',
        shortNames: ['b', 'f', 'foos'],
        categories: ['all'],
      },
      { plural: 'bars', singular: 'bar', kind: 'Bar', listKind: 'BarList', categories: ['all'] },
      'ShortNamesConflict',
      '["f" is already in use, "foos" is already in use]',
    ],
  ];
  for (const [names, accepted, reason, text] of rows) {
    const status = statusOf({ names }, { others: [other] });
    t.same(status?.acceptedNames, accepted, reason);
    t.same(told(status), [
      `NamesAccepted=False ${reason} now: ${text}`,
      'Established=False NotAccepted now: not all names are accepted',
    ]);
  }
});

t.test('names are accepted when the one that had them is gone', async (t) => {
  const names = { ...FOO, plural: 'bars' };
  const before = statusOf({ names }, { others: [FOO] }) ?? {};
  t.equal(statusOf({ names, status: before }, { others: [FOO] }, LATER), undefined);
  const status = statusOf({ names, status: before }, {}, LATER);
  t.same(status?.acceptedNames, names);
  t.same(told(status), [
    'NamesAccepted=True NoConflicts later: no conflicts found',
    'Established=True InitialNamesAccepted later: the initial names have been accepted',
  ]);
});

t.test('a served type stays served under the names that it had', async (t) => {
  const status = statusOf({}) ?? {};
  const names = { ...FOO, singular: 'fooo', shortNames: ['taken'] };
  const conflicting = statusOf({ names, status }, { others: [{ plural: 'taken' }] }, LATER);
  t.same(conflicting?.acceptedNames, { ...FOO, singular: 'fooo' });
  t.same(told(conflicting), [
    'NamesAccepted=False ShortNamesConflict later: "taken" is already in use',
    'Established=True InitialNamesAccepted now: the initial names have been accepted',
  ]);
  const mended = statusOf({ names: FOO, status: conflicting ?? {} }, {}, LATER);
  t.same(mended?.acceptedNames, FOO);
  t.match(told(mended), ['NamesAccepted=True NoConflicts later: no conflicts found', /now/]);
});

t.test('a name may not serve in two places, nor be that of a built-in type', async (t) => {
  const status = statusOf({ names: { ...FOO, shortNames: ['f'] } }) ?? {};
  const moved = statusOf({ names: { ...FOO, singular: 'f' }, status }, {}, LATER);
  t.match(told(moved), [/SingularConflict later: "f" is already in use/, /Established=True/]);
  const builtIn = { resources: ['foos'], kinds: ['Bar'] };
  t.match(told(statusOf({}, { builtIn })), [
    /PluralConflict now: "foos" is already/,
    /NotAccepted/,
  ]);
});

t.test('groups of the API itself need an approval', async (t) => {
  const KEY = 'api-approved.cluster.io';
  const HELP = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const rows: [approval: string, told: string][] = [
    [
      '',
      `False MissingAnnotation now: protected groups must have approval annotation "${KEY}", ${HELP}`,
    ],
    [
      'https://example.com/1?a#b',
      'True ApprovedAnnotation now: approved in https://example.com/1?a#b',
    ],
    ['unapproved, for now', 'False UnapprovedAnnotation now: not approved: "unapproved, for now"'],
    [
      'no',
      `False InvalidAnnotation now: protected groups must have approval annotation "${KEY}" with either a URL or a reason starting with "unapproved", ${HELP}`,
    ],
  ];
  for (const [approval, text] of rows) {
    for (const group of ['cluster.io', 'a.k8s.io', 'kubernetes.io']) {
      const status = statusOf({ group, annotations: { [KEY]: approval } });
      t.equal(told(status)[2], `KubernetesAPIApprovalPolicyConformant=${text}`, group);
    }
  }
  t.equal(told(statusOf({ group: 'mycluster.io' })).length, 2);
});

t.test('what is a URL for an approval', async (t) => {
  const isApproved = (approval: string): boolean => {
    const annotations = { 'api-approved.cluster.io': approval };
    return /approved in/.test(told(statusOf({ group: 'cluster.io', annotations }))[2] ?? '');
  };
  for (const url of ['a://b', 'HTTP://u:p@b:80/c%20d e', 'https://[::1]:80/', 'http://ö/?%']) {
    t.ok(isApproved(url), url);
  }
  for (const url of ['a:b', '/a', 'http://', 'http://a b', 'http://a:b', 'http://a/%2', 'ö://a']) {
    t.notOk(isApproved(url), url);
  }
  t.notOk(isApproved('http://a/\n'));
});

t.test('schemas that are not structural are told until they are', async (t) => {
  const status = statusOf({}, { violations: 'spec.x: Required value' });
  t.equal(told(status)[2], 'NonStructuralSchema=True Violations now: spec.x: Required value');
  t.equal(told(statusOf({ status: status ?? {} })).length, 2);
});
