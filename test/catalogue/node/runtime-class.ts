import type { KindCases } from '../../support/kind-cases.ts';

export const CASES: KindCases = {
  apiVersion: 'node.cluster.io/v1',
  kind: 'RuntimeClass',
  minimal: { handler: 'runc' },
  minimalStored: { handler: 'runc' },
  full: {
    handler: 'kata',
    overhead: { podFixed: { cpu: '250m', memory: '120Mi' } },
    scheduling: {
      nodeSelector: { runtime: 'kata' },
      tolerations: [
        { key: 'kata', operator: 'Equal', value: 'a', effect: 'NoExecute', tolerationSeconds: 5 },
        { operator: 'Exists' },
      ],
    },
  },
  invalid: [
    [
      'class: handler is a label',
      { handler: 'A' },
      [
        'handler: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case ' +
          "alphanumeric characters or '-', and must start and end with an alphanumeric character " +
          "(e.g. 'my-name',  or '123-abc', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      'class: overhead',
      { overhead: { podFixed: { cpu: '-1' } } },
      ['overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      'no toleration twice, whatever its seconds',
      {
        scheduling: {
          tolerations: [
            { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 },
            { key: 'a', operator: 'Exists', effect: 'NoExecute' },
          ],
        },
      },
      [
        'scheduling.tolerations[1]: Duplicate value: {"key":"a","operator":"Exists","effect":"NoExecute"}',
      ],
    ],
    [
      'class: tolerations',
      { scheduling: { tolerations: [{ value: 'a' }] } },
      [
        'scheduling.tolerations.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
  ],
  updates: [
    [
      'class: handler immutable',
      {},
      { handler: 'kata' },
      ['handler: Invalid value: "kata": field is immutable'],
    ],
    ['class: the rest may change', {}, { scheduling: { nodeSelector: { a: 'b' } } }, []],
  ],
};
