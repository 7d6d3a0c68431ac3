/** The claims for devices that a pod has. */
import type { PodResourceClaim, PodSpec } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  duplicate,
  fieldForbidden,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../../semantics/metadata/names.ts';
import type { PodRules } from '../pod-rules.ts';

/** The names by which containers use them. */
export function claimNames({ resourceClaims = [] }: PodSpec): ReadonlySet<string> {
  return new Set(resourceClaims.map(({ name = '' }) => name).filter((name) => name !== ''));
}

/** Adds the problems of the claims at the path `field`; `podName` is '' in a template. */
export function checkPodClaims(
  claims: readonly PodResourceClaim[],
  podName: string,
  { isStatic = false }: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  claims.forEach((claim, index) => {
    if (isStatic && ownRelease().has('staticPodsWithoutClaims')) {
      errors.push(fieldForbidden('[]', 'static pods do not support resource claims'));
      return;
    }
    const at = `${field}[${index}]`;
    checkName(claim, names, podName, `${at}.name`, errors);
    const isOlder = ownRelease().has('sourcesOfPodClaims');
    if (isOlder) checkSource(claim.source ?? {}, `${at}.source`, errors);
    else checkSource(claim, at, errors);
  });
}

function checkName(
  { name = '', source }: PodResourceClaim,
  names: Set<string>,
  podName: string,
  field: string,
  errors: FieldError[],
): void {
  if (name === '') {
    errors.push(required(field));
    return;
  }
  if (names.has(name)) {
    errors.push(duplicate(field, name));
    return;
  }
  names.add(name);
  const problems = dnsLabel(name);
  addProblems(problems, field, name, errors);
  const isMade = source?.resourceClaimTemplateName !== undefined;
  if (problems.length > 0 || !isMade || podName === '') return;
  if (!ownRelease().has('namesOfMadeClaims')) return;
  const claim = `${podName}-${name}`;
  for (const problem of dnsSubdomain(claim)) {
    errors.push(invalid(field, claim, `final ResourceClaim name: ${problem}`));
  }
}

type Source = Pick<PodResourceClaim, 'resourceClaimName' | 'resourceClaimTemplateName'>;

/** A claim by its name, or one that is made from a template. */
function checkSource(source: Source, field: string, errors: FieldError[]): void {
  const { resourceClaimName: claim, resourceClaimTemplateName: template } = source;
  if (claim !== undefined && template !== undefined) {
    const detail =
      'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    errors.push(invalid(field, source, detail));
  }
  if (claim === undefined && template === undefined) {
    const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    errors.push(invalid(field, source, detail));
  }
  for (const member of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
    const name = source[member];
    if (name !== undefined) addProblems(dnsSubdomain(name), `${field}.${member}`, name, errors);
  }
}
