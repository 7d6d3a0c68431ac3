/** The facts that a TokenRequest asks the server to confirm. */
import type { BoundObjectReference } from '#messages/authentication.v1';
import type { RawJson } from '../../codec/json/raw-json.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  invalid,
  notSupported,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { extraOf } from '../../semantics/user.ts';

const FIELD = 'spec.attestations';
const WEBHOOK_VERSION = `${ownGroup('admissionregistration.cluster.io')}/v1`;
const WEBHOOK_KINDS: readonly string[] = [
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];
/** The API groups whose reviews the bearer of the token may ask for. */
const REVIEW_GROUPS = 'admissionReviewAPIGroups';

interface Asked {
  readonly attestations?: Readonly<Record<string, RawJson>>;
  readonly audiences?: readonly string[];
  readonly boundObjectRef?: BoundObjectReference;
}

/** Whether a token is to be bound to the configuration of a webhook. */
export function isOfWebhooks({ kind = '', apiVersion = '' }: BoundObjectReference): boolean {
  return apiVersion === WEBHOOK_VERSION && WEBHOOK_KINDS.includes(kind);
}

/** Adds the errors; where there may be none at all, no other error is told. */
export function checkAttestations(
  { attestations = {}, audiences = [], boundObjectRef = {} }: Asked,
  errors: FieldError[],
): void {
  const asked = extraOf(attestations);
  if (!isOfWebhooks(boundObjectRef)) {
    if (Object.keys(asked).length === 0) return;
    const detail = 'attestations may only be specified with a webhook bound object reference';
    errors.splice(0, Infinity, invalid(FIELD, asked, detail));
    return;
  }
  if (audiences.length !== 1) {
    const detail = 'must be length 1 when bound to a webhook config';
    errors.push(invalid('spec.audiences', audiences, detail));
  }
  const [first, ...more] = Object.entries(asked);
  if (first === undefined || more.length > 0) {
    const detail = `webhook bound requests require exactly one ${REVIEW_GROUPS} attestation`;
    errors.push(invalid(FIELD, asked, detail));
    return;
  }
  checkGroups(first, errors);
}

function checkGroups(
  [key, values]: readonly [string, readonly string[]],
  errors: FieldError[],
): void {
  const field = `${FIELD}[${key}]`;
  const [group = '', ...more] = values;
  if (key !== REVIEW_GROUPS) {
    errors.push(notSupported(field, key, [REVIEW_GROUPS]));
  } else if (values.length === 0 || more.length > 0) {
    errors.push(invalid(field, values, 'must specify a single value'));
  } else if (group === '') {
    errors.push(invalid(`${field}[0]`, group, 'may not be an empty string'));
  } else if (group !== '*') {
    const problems = dnsSubdomain(group).map((why) => `must specify a valid API Group: ${why}`);
    addProblems(problems, `${field}[0]`, group, errors);
  }
}
