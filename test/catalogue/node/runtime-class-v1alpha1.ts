import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as STORED } from './runtime-class.ts';

/** Errors have the paths of the stored version, as in the reference. */
function inSpec({ handler, ...members }: Change): Change {
  return { spec: { ...(handler !== undefined && { runtimeHandler: handler }), ...members } };
}

export const CASES: KindCases = {
  apiVersion: 'node.cluster.io/v1alpha1',
  kind: 'RuntimeClass',
  minimal: inSpec(STORED.minimal),
  minimalStored: inSpec(STORED.minimalStored),
  full: inSpec(STORED.full),
  invalid: [
    ...STORED.invalid.map(([rule, change, causes]) => [rule, inSpec(change), causes] as const),
    [
      'a member of the stored version says nothing',
      { spec: undefined, handler: 'runc' },
      [
        'handler: Invalid value: "": a lowercase RFC 1123 label must consist of lower case ' +
          "alphanumeric characters or '-', and must start and end with an alphanumeric character " +
          "(e.g. 'my-name',  or '123-abc', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
  ],
  updates: (STORED.updates ?? []).map(
    ([rule, before, change, causes]) => [rule, inSpec(before), inSpec(change), causes] as const,
  ),
};
