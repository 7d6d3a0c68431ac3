/** Ingress (README.md#networking). */
import type { Ingress } from '#messages/networking.v1';
import { ownRelease } from '../../release/release.ts';
import { ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import { invalid } from '../../semantics/errors/field-error.ts';
import {
  balancerWarnings,
  loadBalancerErrors,
  statusAddressRules,
} from '../core/services/service-load-balancer.ts';
import { defineKind, specChanges } from '../kind.ts';
import { INGRESS_PRINTER } from './ingress-printer.ts';
import { ingressErrors, secretNameErrors } from './ingress-validation.ts';

/** The annotation that chose a class before there was a field. */
export const CLASS_ANNOTATION = ownName('cluster.io/ingress.class');

export const INGRESS = defineKind<Ingress>({
  group: ownGroup('networking.cluster.io'),
  version: 'v1',
  kind: 'Ingress',
  ...(ownRelease().has('extensionsInErrors') ? { groupOfErrors: 'extensions' } : {}),
  plural: 'ingresses',
  shortNames: ['ing'],
  namespaced: true,
  message: 'networking.v1.Ingress',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  printer: INGRESS_PRINTER,

  validate({ spec = {} }, stored, { gates }) {
    return ingressErrors(spec, stored?.spec, gates);
  },

  validateCreate({ metadata, spec = {} }) {
    const errors = secretNameErrors(spec);
    const annotation = metadata.annotations?.[CLASS_ANNOTATION];
    const mayMatch = ownRelease().has('matchingClasses');
    const matches = mayMatch && annotation === spec.ingressClassName;
    if (annotation !== undefined && spec.ingressClassName !== undefined && !matches) {
      const detail = mayMatch
        ? 'must match `ingressClassName` when both are specified'
        : 'can not be set when the class field is also set';
      errors.push(invalid(`annotations.${CLASS_ANNOTATION}`, annotation, detail));
    }
    return errors;
  },

  validateUpdate({ spec = {} }, { spec: stored = {} }) {
    return secretNameErrors(stored).length > 0 ? [] : secretNameErrors(spec);
  },

  validateStatusUpdate({ status }, { status: stored }, _, gates) {
    return loadBalancerErrors(
      status?.loadBalancer,
      statusAddressRules(gates, stored?.loadBalancer),
    );
  },

  createWarnings({ metadata, spec }) {
    if (metadata.annotations?.[CLASS_ANNOTATION] === undefined) return [];
    if (spec?.ingressClassName !== undefined || !ownRelease().has('matchingClasses')) return [];
    const use = "please use 'spec.ingressClassName' instead";
    return [`annotation "${CLASS_ANNOTATION}" is deprecated, ${use}`];
  },

  statusWarnings: ({ status }) => balancerWarnings(status?.loadBalancer),
});
