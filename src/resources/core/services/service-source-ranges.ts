/** From where the load balancer of a service may be reached. */
import type { Service, ServiceSpec } from '#messages/core.v1';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { fieldForbidden, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { parseIpRange } from '../../../semantics/validation/ip-address.ts';
import { addressRules, checkIpRange } from '../../../semantics/validation/network-validation.ts';

const ANNOTATION = ownName('service.beta.cluster.io/load-balancer-source-ranges');
const FIELD_OF_ANNOTATION = `metadata.annotations[${ANNOTATION}]`;
// The capital letter is the reference's.
const FIELD = 'spec.LoadBalancerSourceRanges';
export const LOAD_BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";

/** Ranges may also be given as an annotation, in one text. */
export function checkSourceRanges(
  service: Service,
  stored: Service | undefined,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const { spec = {} } = service;
  const annotation = service.metadata.annotations?.[ANNOTATION];
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length === 0 && annotation === undefined) return;
  const inSpec = ranges.length > 0;
  const field = inSpec ? FIELD : FIELD_OF_ANNOTATION;
  if (spec.type !== 'LoadBalancer') errors.push(fieldForbidden(field, LOAD_BALANCER_ONLY));
  if (!ownRelease().has('addressesOneByOne')) checkTogether(spec, annotation, errors);
  else if (inSpec) {
    const kept = stored?.spec?.loadBalancerSourceRanges?.map((range) => range.trim());
    const rules = addressRules(gates, kept);
    ranges.forEach((range, index) => {
      checkIpRange(range.trim(), `${field}[${index}]`, errors, rules);
    });
  } else if (annotation !== stored?.metadata.annotations?.[ANNOTATION]) {
    for (const range of listed(annotation)) {
      checkIpRange(range.trim(), field, errors, addressRules(gates));
    }
  }
}

function listed(annotation = ''): readonly string[] {
  return annotation.trim() === '' ? [] : annotation.trim().split(',');
}

function checkTogether(
  { loadBalancerSourceRanges: ranges = [] }: ServiceSpec,
  annotation: string | undefined,
  errors: FieldError[],
): void {
  const inSpec = ranges.length > 0;
  const given = inSpec ? ranges : listed(annotation);
  if (given.every((range) => parseIpRange(range.trim()) !== undefined)) return;
  const value = inSpec ? `[${ranges.join(' ')}]` : annotation;
  const detail = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ';
  errors.push(invalid(inSpec ? FIELD : FIELD_OF_ANNOTATION, value, detail));
}
