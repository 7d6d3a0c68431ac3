/** APIService (README.md#api-services). */
import { serverNowMs } from '../../base/time/server-clock.ts';
import type {
  APIService,
  APIServiceCondition,
  APIServiceSpec,
  ServiceReference,
} from '#messages/apiregistration.v1';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dns1035Label, dnsSubdomain, objectName } from '../../semantics/metadata/names.ts';
import { checkReferencePort } from '../admissionregistration/webhook-client.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME, nameBelow } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

const GROUP_PRIORITY_MAX = 20_000;
const VERSION_PRIORITY_MAX = 1000;
const CONDITION_STATUSES = ['True', 'False', 'Unknown'];

export const API_SERVICE = defineKind<APIService>({
  group: ownGroup('apiregistration.cluster.io'),
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  categories: ['api-extensions'],
  namespaced: false,
  message: 'apiregistration.v1.APIService',
  nameRule: 'pathSegment',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: false,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Service', 'The service that serves this version; Local for this server.',
      'spec.service{namespace name}', (service?: ServiceReference) =>
        service ? nameBelow(service.namespace, service.name) : 'Local'),
    text('Available', 'Whether it can be reached, and why not.', 'status.conditions',
      availableText),
    AGE,
  ]),

  /** A service that this server provides itself is available at once. */
  prepareForCreate(object) {
    object.status = {};
    if (object.spec?.service !== undefined) return;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: utcSeconds(serverNowMs()),
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    object.status.conditions = [condition];
  },

  validateStatusUpdate({ status }) {
    return (status?.conditions ?? []).flatMap((condition, index) => {
      const { status: value = '' } = condition;
      if (CONDITION_STATUSES.includes(value)) return [];
      return [notSupported(`status.conditions[${index}].status`, value, CONDITION_STATUSES)];
    });
  },

  validate({ spec = {}, metadata }) {
    const errors: FieldError[] = [];
    const { group = '', version = '' } = spec;
    // The only valid name, also as the base of a generated one.
    const expected = `${version}.${group}`;
    for (const member of ['generateName', 'name'] as const) {
      const text = metadata[member] ?? '';
      // A value that is no segment of a path has an error of that already.
      const isSegment = objectName('pathSegment', text).length === 0;
      if (text === '' || text === expected || !isSegment) continue;
      const detail = `must be \`spec.version+"."+spec.group\`: ${quoteText(expected)}`;
      errors.push(invalid(`metadata.${member}`, text, detail));
    }
    if (group !== '') addProblems(dnsSubdomain(group), 'spec.group', group, errors);
    else if (version !== 'v1') {
      const detail = 'only v1 may have an empty group and it better be legacy kube';
      errors.push(required('spec.group', detail));
    }
    addProblems(dns1035Label(version), 'spec.version', version, errors);
    checkPriority(spec, 'groupPriorityMinimum', GROUP_PRIORITY_MAX, errors);
    checkPriority(spec, 'versionPriority', VERSION_PRIORITY_MAX, errors);
    checkServer(spec, errors);
    return errors;
  },
});

/** The condition Available for the Table: its status, and its reason unless it is True. */
function availableText(conditions: readonly APIServiceCondition[] = []): string {
  const condition = conditions.find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  const { status = '', reason = '' } = condition;
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}

function checkPriority(
  spec: APIServiceSpec,
  member: 'groupPriorityMinimum' | 'versionPriority',
  max: number,
  errors: FieldError[],
): void {
  const priority = spec[member] ?? 0;
  if (priority > 0 && priority <= max) return;
  errors.push(invalid(`spec.${member}`, priority, `must be positive and less than ${max}`));
}

function checkServer(spec: APIServiceSpec, errors: FieldError[]): void {
  const { service, caBundle = '', insecureSkipTLSVerify: insecure = false } = spec;
  const insecureField = 'spec.insecureSkipTLSVerify';
  if (service === undefined) {
    if (caBundle !== '') {
      const shown = `${Buffer.from(caBundle, 'base64').length} bytes`;
      const detail = 'local APIServices may not have a caBundle';
      errors.push(invalid('spec.caBundle', shown, detail));
    }
    if (insecure) {
      const detail = 'local APIServices may not have insecureSkipTLSVerify';
      errors.push(invalid(insecureField, insecure, detail));
    }
    return;
  }
  if (!service.namespace) errors.push(required('spec.service.namespace'));
  if (!service.name) errors.push(required('spec.service.name'));
  checkReferencePort(service.port ?? 0, 'spec.service.port', errors);
  if (insecure && caBundle !== '') {
    errors.push(invalid(insecureField, insecure, 'may not be true if caBundle is present'));
  }
}
