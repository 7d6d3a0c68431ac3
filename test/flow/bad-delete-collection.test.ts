/** DELETE on a collection that is refused, and deletes nothing. */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { configMap } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';
import { listPath, namesOf, newCollection } from '../support/whole-list.ts';
import type { ListOptions } from '../support/whole-list.ts';

const server = await sharedServer();
const path = await newCollection(server, ['a', 'b']);

interface Refusal {
  readonly name: string;
  readonly options?: ListOptions;
  readonly query?: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly codes: readonly number[];
  readonly message?: string | RegExp;
}

const IN_LIST_OPTIONS = 'ListOptions.meta.cluster.io "" is invalid: resourceVersionMatch: ';
const IN_DELETE_OPTIONS = 'DeleteOptions.meta.cluster.io "" is invalid: ';
const POLICIES = 'supported values: "Foreground", "Background", "Orphan", "nil"';
const REFUSALS: readonly Refusal[] = [
  {
    name: 'a match without a version',
    options: { match: 'Exact' },
    codes: [422],
    message: `${IN_LIST_OPTIONS}Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided`,
  },
  {
    name: 'Exact at version 0',
    options: { match: 'Exact', rv: '0' },
    codes: [422],
    message: `${IN_LIST_OPTIONS}Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"`,
  },
  { name: 'a version in the future', options: { rv: '9007199254740991' }, codes: [504] },
  {
    name: 'an exact version in the future',
    options: { match: 'Exact', rv: '9007199254740991' },
    codes: [504],
    message: /^Timeout: Too large resource version: 9007199254740991, current: \d+$/,
  },
  { name: 'a version that is no number', options: { rv: 'abc' }, codes: [400] },
  { name: 'a limit that is no number', options: { limit: 'x' }, codes: [400] },
  {
    name: 'a token that is none',
    options: { token: 'x' },
    codes: [400],
    message: /^invalid continue token: continue key is not valid: /,
  },
  { name: 'a label selector that does not parse', options: { labels: 'a in' }, codes: [400] },
  {
    name: 'a field selector for an unknown field',
    options: { fields: 'spec.x=1' },
    codes: [400],
    message: '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  },
  {
    name: 'an unknown policy',
    query: 'propagationPolicy=Later',
    codes: [422],
    message: `${IN_DELETE_OPTIONS}propagationPolicy: Unsupported value: "Later": ${POLICIES}`,
  },
  {
    name: 'an unknown policy in the body',
    body: { propagationPolicy: 'Later' },
    codes: [422],
    message: `${IN_DELETE_OPTIONS}propagationPolicy: Unsupported value: "Later": ${POLICIES}`,
  },
  {
    name: 'two policies',
    body: { propagationPolicy: 'Orphan', orphanDependents: true },
    codes: [422],
    message: /orphanDependents and deletionPropagation cannot be both set/,
  },
  {
    name: 'an unknown dry run',
    query: 'dryRun=Some',
    codes: [422],
    message: `${IN_DELETE_OPTIONS}dryRun: Unsupported value: []string{"Some"}: supported values: "All"`,
  },
  { name: 'an unknown dry run in the body', body: { dryRun: ['Some'] }, codes: [422] },
  { name: 'a grace period that is no number', query: 'gracePeriodSeconds=x', codes: [400] },
  { name: 'a body that is cut off', body: '{"kind":', codes: [400, 500] },
  { name: 'a body that is a list', body: '[]', codes: [400, 500] },
  { name: 'a body that is an object of the kind', body: configMap('a'), codes: [400, 500] },
  { name: 'a body of a type nobody knows', body: '{}', type: 'text/plain', codes: [415] },
  {
    name: 'a body over 3 MiB',
    body: 'x'.repeat(3 * 1024 * 1024 + 1),
    codes: [413],
    message: 'Request entity too large: limit is 3145728',
  },
];

for (const { name, options = {}, query = '', body, type, codes, message } of REFUSALS) {
  t.test(`${name} is refused, and nothing is deleted`, async (t) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await server.delete(`${listPath(path, options)}&${query}`, body, headers);
    t.ok(codes.includes(answer.status), `${answer.status}: ${answer.text.slice(0, 300)}`);
    expectFailure(t, answer, {
      code: answer.status,
      ...(message === undefined ? {} : { message }),
    });
    t.same(namesOf(await server.get(path)), ['a', 'b']);
  });
}

t.test('without credentials nothing is deleted', async (t) => {
  const answer = await server.delete(path, undefined, { authorization: undefined });
  expectFailure(t, answer, { code: 403, reason: 'Forbidden' });
  t.same(namesOf(await server.get(path)), ['a', 'b']);
});
