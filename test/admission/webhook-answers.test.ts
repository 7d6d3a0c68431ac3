// Answers of webhooks are read: each row was sent to a server of the reference too.
import t from 'tap';
import {
  ReviewError,
  ReviewReader,
} from '../../src/admission/plugins/webhooks/admission-review.ts';
import type { ReviewVersion } from '../../src/admission/plugins/webhooks/configured-webhook.ts';
import { MODEL } from '../resources/kind-rules.ts';

const reader = new ReviewReader(MODEL);
const GROUP = 'admission.cluster.io';
const TYPE = { apiVersion: `${GROUP}/v1`, kind: 'AdmissionReview' };
const PATCH = Buffer.from('[]').toString('base64');

interface Asked {
  readonly version?: ReviewVersion;
  readonly isMutating?: boolean;
}

/** Gives the error of an answer; '' for none. */
function problem(answer: unknown, { version = 'v1', isMutating = true }: Asked = {}): string {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  try {
    reader.read(text, { uid: 'u', version }, isMutating);
    return '';
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    return error.isRead ? `invalid: ${error.message}` : error.message;
  }
}

/** Gives the error of an answer whose response has these members. */
function responseProblem(members: object, asked?: Asked): string {
  return problem({ ...TYPE, response: { uid: 'u', allowed: true, ...members } }, asked);
}

const NO_DOCUMENT =
  "couldn't get version/kind; json parse error: json: cannot unmarshal KIND into Go value of type " +
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const ABSENT = 'invalid: webhook response was absent';
const FIELD = 'json: cannot unmarshal VALUE into Go struct field AdmissionResponse.response.';

t.test('answers that are no reviews', async (t) => {
  const response = { uid: 'u', allowed: true };
  const rows: [answer: unknown, message: string][] = [
    ['this is no JSON', NO_DOCUMENT.replace('KIND', 'string')],
    ['[]', NO_DOCUMENT.replace('KIND', 'array')],
    ['{', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    ['null', ABSENT],
    ['{}', ABSENT],
    [{ ...TYPE }, ABSENT],
    [{ ...TYPE, response: null }, ABSENT],
    [
      { response },
      `invalid: expected webhook response of ${GROUP}/v1, Kind=AdmissionReview, got /, Kind=`,
    ],
    [
      { apiVersion: TYPE.apiVersion, response },
      `invalid: expected webhook response of ${GROUP}/v1, Kind=AdmissionReview, got ${GROUP}/v1, Kind=`,
    ],
    [
      { kind: TYPE.kind, response },
      `invalid: expected webhook response of ${GROUP}/v1, Kind=AdmissionReview, got /, Kind=AdmissionReview`,
    ],
    [
      { ...TYPE, kind: 'Other', response },
      `no kind "Other" is registered for version "${GROUP}/v1" in scheme "pkg/runtime/scheme.go:100"`,
    ],
    [
      { ...TYPE, apiVersion: 'a.b/v9', response },
      'no kind "AdmissionReview" is registered for version "a.b/v9" in scheme "pkg/runtime/scheme.go:100"',
    ],
    [
      { ...TYPE, apiVersion: `${GROUP}/v1beta1`, response },
      'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      { ...TYPE, response: 'x' },
      'json: cannot unmarshal string into Go struct field AdmissionReview.response of type v1.AdmissionResponse',
    ],
  ];
  for (const [answer, message] of rows) t.equal(problem(answer), message, JSON.stringify(answer));
  t.match(problem('apiVersion: x: y'), /^yaml: line 1: /);
  const yaml = `apiVersion: ${TYPE.apiVersion}\nkind: ${TYPE.kind}\nresponse: {uid: u, allowed: true}`;
  t.equal(problem(yaml), '', 'YAML is read too');
});

t.test('responses whose members are not what they should be', async (t) => {
  const rows: [members: object, message: string][] = [
    [{ uid: 'other' }, 'invalid: expected response.uid="u", got "other"'],
    [{ uid: undefined }, 'invalid: expected response.uid="u", got ""'],
    [{ allowed: 'yes' }, `${FIELD.replace('VALUE', 'string')}allowed of type bool`],
    [{ patch: 1 }, `${FIELD.replace('VALUE', 'number')}patch of type []uint8`],
    [{ patch: '!!' }, 'illegal base64 data at input byte 0'],
    [{ warnings: 'x' }, `${FIELD.replace('VALUE', 'string')}warnings of type []string`],
    [
      { auditAnnotations: { a: 1 } },
      `${FIELD.replace('VALUE', 'number')}auditAnnotations of type string`,
    ],
    [{ status: 'x' }, `${FIELD.replace('VALUE', 'string')}status of type v1.Status`],
    [
      { patchType: 'JSONPatch' },
      'invalid: webhook returned response.patchType but not response.patch',
    ],
    [{ patch: PATCH }, 'invalid: webhook returned response.patch but not response.patchType'],
    [{ patch: PATCH, patchType: '' }, 'invalid: webhook returned invalid response.patchType of ""'],
    [{ patch: PATCH, patchType: 'JSONPatch' }, ''],
    [{ patchType: null, other: 1 }, ''],
  ];
  for (const [members, message] of rows) {
    t.equal(responseProblem(members), message, JSON.stringify(members));
  }
  const validating = { isMutating: false };
  const refused = 'invalid: validating webhook may not return response';
  t.equal(
    responseProblem({ patch: PATCH, patchType: 'JSONPatch' }, validating),
    `${refused}.patch`,
  );
  t.equal(responseProblem({ patchType: '' }, validating), `${refused}.patchType`);
});

t.test('reviews of v1beta1 are not held to their uid and type', async (t) => {
  const beta = { uid: 'u', version: 'v1beta1' } as const;
  const read = (answer: object) => reader.read(JSON.stringify(answer), beta, true);
  t.match(read({ response: { allowed: true, patch: PATCH } }), {
    allowed: true,
    patchType: 'JSONPatch',
  });
  t.equal(
    problem({ ...TYPE, response: {} }, { version: 'v1beta1' }),
    'converting (v1.AdmissionReview) to (v1beta1.AdmissionReview): unknown conversion',
  );
});
