/** The users whose requests a FlowSchema matches (README.md#flow-control). */
import type { ServiceAccountSubject, Subject } from '#messages/flowcontrol.v1beta2';
import {
  addProblems,
  fieldForbidden,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';

const KINDS = ['Group', 'ServiceAccount', 'User'] as const;
const MEMBERS = [
  ['User', 'user'],
  ['Group', 'group'],
  ['ServiceAccount', 'serviceAccount'],
] as const;
const ANY = '*';

/** Adds the problems of a subject at the path `field`. */
export function checkFlowSubject(subject: Subject, field: string, errors: FieldError[]): void {
  const { kind = '' } = subject;
  if (!KINDS.some((one) => one === kind)) {
    errors.push(notSupported(`${field}.kind`, kind, KINDS));
    return;
  }
  for (const [memberKind, member] of MEMBERS) {
    const path = `${field}.${member}`;
    if (memberKind === kind) checkMember(subject[member], member, kind, path, errors);
    else if (subject[member] !== undefined) {
      const detail = `${member} is forbidden when subject kind is not '${memberKind}'`;
      errors.push(fieldForbidden(path, detail));
    }
  }
}

/** The other kinds of subjects have its name alone. */
function checkMember(
  value: ServiceAccountSubject | undefined,
  member: string,
  kind: string,
  field: string,
  errors: FieldError[],
): void {
  if (value === undefined) {
    errors.push(required(field, `${member} is required when subject kind is '${kind}'`));
    return;
  }
  const { name = '', namespace = '' } = value;
  if (name === '') errors.push(required(`${field}.name`));
  if (kind !== 'ServiceAccount') return;
  if (name !== '' && name !== ANY) addProblems(dnsSubdomain(name), `${field}.name`, name, errors);
  const path = `${field}.namespace`;
  if (namespace !== '') addProblems(dnsLabel(namespace), path, namespace, errors);
  else errors.push(required(path, 'must specify namespace for service account'));
}
