// The newest release treats some RuntimeClasses otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

const TOLERATION = { key: 'a', operator: 'Exists', effect: 'NoExecute' };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'node.cluster.io/v1',
  kind: 'RuntimeClass',
  minimal: { handler: 'runc' },
  minimalStored: { handler: 'runc' },
  full: { handler: 'runc', scheduling: { tolerations: [TOLERATION] } },
  invalid: [
    ['a handler', { handler: '' }, ['handler: Required value']],
    [
      'tolerations are told where they are, each once',
      { scheduling: { tolerations: [{ value: 'a' }, TOLERATION, TOLERATION] } },
      [
        'scheduling.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        'scheduling.tolerations[2]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"NoExecute","TolerationSeconds":null}',
      ],
    ],
  ],
  updates: [
    [
      'the handler stays',
      {},
      { handler: 'other' },
      ['handler: Invalid value: null: field is immutable'],
    ],
  ],
};
