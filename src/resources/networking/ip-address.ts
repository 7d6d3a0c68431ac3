/** IPAddress (README.md#networking). */
import type { IPAddress, ParentReference } from '#messages/networking.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  invalid,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain, pathSegment } from '../../semantics/metadata/names.ts';
import { defineKind } from '../kind.ts';
import { NAME, NONE } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { strictAddress } from './strict-address.ts';

const PARENT = 'spec.parentRef';

export const IP_ADDRESS = defineKind<IPAddress>({
  group: ownGroup('networking.cluster.io'),
  version: 'v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  shortNames: ['ip'],
  namespaced: false,
  message: 'networking.v1.IPAddress',
  nameRule: strictAddress,
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  otherVersions: [{ version: 'v1beta1' }, { version: 'v1alpha1' }],
  printer: definePrinter([
    NAME,
    text('ParentRef', 'The object that has the address.', PARENT, parentText),
  ]),

  validate({ spec = {} }, stored) {
    const errors: FieldError[] = [];
    if (spec.parentRef === undefined) errors.push(required(PARENT));
    else checkParent(spec.parentRef, errors);
    if (stored !== undefined && !deepEqual(spec.parentRef, stored.spec?.parentRef)) {
      errors.push(invalid(PARENT, spec.parentRef, FIELD_IMMUTABLE));
    }
    return errors;
  },
});

function parentText(parent?: ParentReference): string {
  if (parent === undefined) return NONE;
  const { group = '', resource = '', namespace = '', name = '' } = parent;
  const type = (group === '' ? resource : `${resource}.${group}`).toLowerCase();
  return [type, ...(namespace === '' ? [] : [namespace]), name].join('/');
}

function checkParent(
  { group = '', resource = '', namespace = '', name = '' }: ParentReference,
  errors: FieldError[],
): void {
  if (group !== '') addProblems(dnsSubdomain(group), `${PARENT}.group`, group, errors);
  for (const [member, value] of [
    ['resource', resource],
    ['name', name],
  ] as const) {
    const field = `${PARENT}.${member}`;
    if (value === '') errors.push(required(field));
    else addProblems(pathSegment(value), field, value, errors);
  }
  if (namespace !== '') {
    addProblems(pathSegment(namespace), `${PARENT}.namespace`, namespace, errors);
  }
}
