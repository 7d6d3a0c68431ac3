// `/approval` and `/status` of a signing request may change some members, and not others.
import t from 'tap';
import { CERTIFICATE_SIGNING_REQUEST } from '../../src/resources/certificates/certificate-signing-request.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { texts } from './kind-rules.ts';

const TIME = '2024-01-01T00:00:00Z';
const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const condition = (type: string, members: object = {}): object => ({
  type,
  status: 'True',
  lastUpdateTime: TIME,
  lastTransitionTime: TIME,
  ...members,
});

interface Status {
  readonly conditions?: readonly object[];
  readonly certificate?: string;
}

function request(status: Status, spec: object = { signerName: 'a.b/c' }): ApiObject {
  return { metadata: { name: 'a' }, spec, status: structuredClone(status) };
}

const APPROVAL = CERTIFICATE_SIGNING_REQUEST.parts?.['approval'];

t.test('approval brings conditions and nothing else', async (t) => {
  const stored = request({ certificate: 'old' });
  const sent = request({ certificate: 'new', conditions: [condition('Approved')] }, {});
  t.equal(APPROVAL?.readable, true);
  const merged = APPROVAL?.merge(sent, { ...stored }, DEFAULT_GATES);
  t.same(merged?.['spec'], stored['spec']);
  t.same(merged?.['status'], { certificate: 'old', conditions: [condition('Approved')] });
});

t.test('conditions get the times that they lack', async (t) => {
  const kept = { lastUpdateTime: undefined, lastTransitionTime: undefined };
  const stored = request({ conditions: [condition('Failed')] });
  const sent = request({ conditions: [condition('Failed', kept), condition('Approved', kept)] });
  const merged = APPROVAL?.merge(sent, { ...stored }, DEFAULT_GATES);
  t.match(merged?.['status'], {
    conditions: [
      { type: 'Failed', lastUpdateTime: SECONDS, lastTransitionTime: TIME },
      { type: 'Approved', lastUpdateTime: SECONDS, lastTransitionTime: SECONDS },
    ],
  });
});

const FIELD = 'status.conditions: Forbidden: updates may not';
/** The stored status, the new one, and what is wrong through `/approval` and `/status`. */
const UPDATES: readonly [string, Status, Status, string[], string[]][] = [
  [
    'a decision stays',
    { conditions: [condition('Approved'), condition('Failed')] },
    {},
    [
      `${FIELD} remove a condition of type "Approved"`,
      `${FIELD} remove a condition of type "Failed"`,
    ],
    [
      `${FIELD} remove a condition of type "Approved"`,
      `${FIELD} remove a condition of type "Failed"`,
    ],
  ],
  [
    'only approval approves',
    {},
    { conditions: [condition('Approved')] },
    [],
    [`${FIELD} add a condition of type "Approved"`],
  ],
  [
    'only approval changes the reasons',
    { conditions: [condition('Denied')] },
    { conditions: [condition('Denied', { reason: 'No' })] },
    [],
    [`${FIELD} modify a condition of type "Denied"`],
  ],
  ['a signer may fail', {}, { conditions: [condition('Failed')] }, [], []],
  ['a certificate is issued', {}, { certificate: 'new' }, [], []],
  [
    'a certificate is issued once',
    { certificate: 'old' },
    { certificate: 'new' },
    [],
    ['status.certificate: Forbidden: updates may not modify existing certificate content'],
  ],
];

for (const [what, before, after, throughApproval, throughStatus] of UPDATES) {
  t.test(what, async (t) => {
    const stored = request(before);
    const object = request(after);
    const found = APPROVAL?.validateUpdate?.(object, stored, DEFAULT_GATES) ?? [];
    t.same(texts(found), throughApproval, 'approval');
    const errors =
      CERTIFICATE_SIGNING_REQUEST.validateStatusUpdate?.(
        object,
        stored,
        'certificates.cluster.io/v1',
        DEFAULT_GATES,
      ) ?? [];
    t.same(texts(errors), throughStatus, 'status');
  });
}

t.test('a request is approved or denied', async (t) => {
  const object = request({ conditions: [condition('Denied'), condition('Approved')] });
  const errors = texts(
    CERTIFICATE_SIGNING_REQUEST.validate?.(object, undefined, {
      part: '',
      found: [],
      groupVersion: 'certificates.cluster.io/v1',
      gates: DEFAULT_GATES,
    }) ?? [],
  );
  const expected =
    'status.conditions[1].type: Invalid value: "Approved": ' +
    'Approved and Denied conditions are mutually exclusive';
  t.ok(errors.includes(expected), expected);
});
