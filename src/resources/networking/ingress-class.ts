/** IngressClass (README.md#networking). */
import type { IngressClass, IngressClassParametersReference } from '#messages/networking.v1';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, NAME, NONE } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { checkKindAndName } from './ingress-validation.ts';

const CONTROLLER_FIELD = 'spec.controller';
const CONTROLLER_BYTES_MAX = 250;
const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const PATH_PATTERN = new RegExp(`^${PATH}$`);

export const INGRESS_CLASS = defineKind<IngressClass>({
  group: ownGroup('networking.cluster.io'),
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
  message: 'networking.v1.IngressClass',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Controller', 'The controller that serves ingresses of this class.', 'spec.controller'),
    text('Parameters', 'The object with settings for it, by kind, group and name.',
      'spec.parameters', parametersText),
    AGE,
  ]),

  validate({ spec: { controller = '', parameters } = {} }) {
    const errors: FieldError[] = [];
    // An empty controller is the schema's error.
    if (controller !== '') checkController(controller, errors);
    if (parameters !== undefined) checkParameters(parameters, errors);
    return errors;
  },
});

function parametersText(parameters: IngressClassParametersReference | undefined): string {
  if (parameters === undefined) return NONE;
  const { kind = '', apiGroup, name = '' } = parameters;
  return apiGroup === undefined ? `${kind}/${name}` : `${kind}.${apiGroup}/${name}`;
}

/** A path below a domain, such as `example.com/ingress-controller`. */
function checkController(controller: string, errors: FieldError[]): void {
  if (Buffer.byteLength(controller) > CONTROLLER_BYTES_MAX) {
    errors.push(tooLong(CONTROLLER_FIELD, CONTROLLER_BYTES_MAX));
  }
  const slash = controller.indexOf('/');
  const domain = controller.slice(0, Math.max(0, slash));
  const path = controller.slice(slash + 1);
  if (domain === '' || path === '') {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(invalid(CONTROLLER_FIELD, controller, detail));
    return;
  }
  addProblems(dnsSubdomain(domain), CONTROLLER_FIELD, domain, errors);
  if (PATH_PATTERN.test(path)) return;
  const detail = `Invalid path (regex used for validation is '${PATH}')`;
  errors.push(invalid(CONTROLLER_FIELD, path, detail));
}

function checkParameters(parameters: IngressClassParametersReference, errors: FieldError[]): void {
  const { scope, namespace } = parameters;
  const field = 'spec.parameters';
  checkKindAndName(parameters, field, errors);
  const namespaceField = `${field}.namespace`;
  const detail = `\`parameters.scope\` is set to '${scope}'`;
  if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(namespaceField, detail));
    else addProblems(dnsLabel(namespace), namespaceField, namespace, errors);
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    errors.push(fieldForbidden(namespaceField, detail));
  }
}
