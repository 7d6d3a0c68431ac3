/** Ingress (README.md#networking). */
import type { Ingress } from '#messages/networking.v1';
import { ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import { invalid } from '../../semantics/errors/field-error.ts';
import { loadBalancerErrors } from '../core/services/service-load-balancer.ts';
import { defineKind, specChanges } from '../kind.ts';
import { INGRESS_PRINTER } from './ingress-printer.ts';
import { ingressErrors, secretNameErrors } from './ingress-validation.ts';

/** The annotation that chose a class before there was a field. */
export const CLASS_ANNOTATION = ownName('cluster.io/ingress.class');

export const INGRESS = defineKind<Ingress>({
  group: ownGroup('networking.cluster.io'),
  version: 'v1',
  kind: 'Ingress',
  groupOfErrors: 'extensions',
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

  validate({ spec = {} }) {
    return ingressErrors(spec);
  },

  validateCreate({ metadata, spec = {} }) {
    const errors = secretNameErrors(spec);
    const annotation = metadata.annotations?.[CLASS_ANNOTATION];
    if (annotation !== undefined && spec.ingressClassName !== undefined) {
      const detail = 'can not be set when the class field is also set';
      errors.push(invalid(`annotations.${CLASS_ANNOTATION}`, annotation, detail));
    }
    return errors;
  },

  validateUpdate({ spec = {} }, { spec: stored = {} }) {
    return secretNameErrors(stored).length > 0 ? [] : secretNameErrors(spec);
  },

  validateStatusUpdate({ status }) {
    return loadBalancerErrors(status?.loadBalancer);
  },
});
