/** DeviceClass (README.md#classes-and-slices). */
import type { DeviceClass, DeviceClassConfiguration } from '#messages/resource.v1';
import { ownRelease } from '../../release/release.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import { addProblems, invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { extendedResourceName, isExtendedResource } from '../core/resource-names.ts';
import { checkNodeSelector } from '../core/nodes/node-selector.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { checkConfiguration } from './device-configuration.ts';
import { checkSelectors } from './device-selectors.ts';
import { checkList } from './item-rules.ts';
import { RESOURCE_GROUP, releasedVersions } from './released-versions.ts';

const CONFIG_MAX = 32;

export const DEVICE_CLASS = defineKind<DeviceClass>({
  group: RESOURCE_GROUP,
  version: 'v1',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  namespaced: false,
  message: 'resource.v1.DeviceClass',
  nameRule: 'dnsSubdomain',
  ...(ownRelease().has('uncheckedGeneratedNames') && {
    freeGenerateName: true,
    uncheckedGenerateName: true,
  }),
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  otherVersions: releasedVersions('DeviceClass', [
    { version: 'v1beta2' },
    { version: 'v1beta1' },
    { version: 'v1alpha3' },
  ]),
  printer: definePrinter([NAME, AGE]),

  dropDisabled({ spec }, gates, stored) {
    dropDisabledMember(gates, 'DRAExtendedResource', spec, stored?.spec, 'extendedResourceName');
  },

  // Unchanged members are not looked at again.
  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { selectors = [], config = [], suitableNodes, extendedResourceName } = spec;
    const before = stored?.spec;
    const isKept = before !== undefined && deepEqual(before.selectors ?? [], selectors);
    checkSelectors(selectors, 'spec.selectors', errors, gates, isKept);
    const isSame = before !== undefined && deepEqual(before.config ?? [], config);
    const checkOne = (one: DeviceClassConfiguration, field: string): void => {
      checkConfiguration(one, field, errors, isSame);
    };
    checkList(config, CONFIG_MAX, checkOne, 'spec.config', errors);
    if (suitableNodes !== undefined) checkNodeSelector(suitableNodes, 'suitableNodes', errors);
    if (extendedResourceName !== undefined) checkResourceName(extendedResourceName, errors);
    return errors;
  },
});

function checkResourceName(name: string, errors: FieldError[]): void {
  const field = 'spec.extendedResourceName';
  if (ownRelease().has('declaredRules')) {
    addProblems(extendedResourceName(name), field, name, errors);
  } else if (!isExtendedResource(name)) {
    errors.push(invalid(field, name, 'must be a valid extended resource name'));
  }
}
