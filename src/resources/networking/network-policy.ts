/** NetworkPolicy (README.md#networking). */
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '#messages/networking.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  fieldForbidden,
  invalid,
  invalidPrinted,
  notSupported,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { isStrictSubrange, parseIpRange } from '../../semantics/validation/ip-address.ts';
import { checkLabelSelector } from '../../semantics/metadata/label-validation.ts';
import {
  checkPortNumber,
  checkPortNumberOrName,
} from '../../semantics/validation/network-validation.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME, selectorText } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

const POLICY_TYPES = ['Ingress', 'Egress'];

/** The ports of all rules. */
function portsOf(spec: NetworkPolicy['spec']): NetworkPolicyPort[] {
  return [...(spec?.ingress ?? []), ...(spec?.egress ?? [])].flatMap(({ ports = [] }) => ports);
}

export const NETWORK_POLICY = defineKind<NetworkPolicy>({
  group: ownGroup('networking.cluster.io'),
  version: 'v1',
  kind: 'NetworkPolicy',
  groupOfErrors: 'extensions',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  message: 'networking.v1.NetworkPolicy',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  // The reference tells empty lists and maps from none here.
  bumpsGeneration: ({ spec }, stored) => !deepEqual(spec, stored.spec, true),
  checksFinalizerNames: true,
  tellsEmpty: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Pod-Selector', 'Which pods of the namespace the policy is about.', 'spec.podSelector',
      selectorText),
    AGE,
  ]),

  /** The policy types default to Ingress, and to Egress too when there are rules for it. */
  applyDefaults({ spec }) {
    if (spec === undefined || spec.policyTypes?.length) return;
    spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
  },

  dropDisabled({ spec }, gates, stored) {
    const hasEndPort = portsOf(stored?.spec).some(({ endPort }) => endPort !== undefined);
    if (gates.has('NetworkPolicyEndPort') || hasEndPort) return;
    for (const port of portsOf(spec)) delete port.endPort;
  },

  validate({ spec: { podSelector, ingress = [], egress = [], policyTypes = [] } = {} }) {
    const errors: FieldError[] = [];
    checkLabelSelector(podSelector, 'spec.podSelector', errors);
    ingress.forEach(({ ports = [], from = [] }, index) => {
      const field = `spec.ingress[${index}]`;
      checkPorts(ports, `${field}.ports`, errors);
      checkPeers(from, `${field}.from`, errors);
    });
    egress.forEach(({ ports = [], to = [] }, index) => {
      const field = `spec.egress[${index}]`;
      checkPorts(ports, `${field}.ports`, errors);
      checkPeers(to, `${field}.to`, errors);
    });
    checkTypes(policyTypes, 'spec.policyTypes', errors);
    return errors;
  },
});

function checkTypes(types: readonly string[], field: string, errors: FieldError[]): void {
  if (types.length > POLICY_TYPES.length) {
    const printed = printStrings(types, 'networking.PolicyType');
    errors.push(invalidPrinted(field, printed, 'may not specify more than two policyTypes'));
    return;
  }
  types.forEach((type, index) => {
    if (POLICY_TYPES.includes(type)) return;
    errors.push(notSupported(`${field}[${index}]`, type, POLICY_TYPES));
  });
}

function checkPorts(
  ports: readonly NetworkPolicyPort[],
  field: string,
  errors: FieldError[],
): void {
  ports.forEach(({ port, endPort }, index) => {
    const portField = `${field}[${index}].port`;
    const endField = `${field}[${index}].endPort`;
    if (typeof port !== 'number' && endPort !== undefined) {
      const what = port === undefined ? 'not specified' : 'non-numeric';
      errors.push(invalid(endField, endPort, `may not be specified when \`port\` is ${what}`));
    }
    if (port === undefined) return;
    checkPortNumberOrName(port, portField, errors);
    if (typeof port !== 'number' || endPort === undefined) return;
    if (endPort < port) {
      errors.push(invalid(endField, endPort, 'must be greater than or equal to `port`'));
    }
    checkPortNumber(endPort, endField, errors);
  });
}

function checkPeers(peers: readonly NetworkPolicyPeer[], list: string, errors: FieldError[]): void {
  peers.forEach(({ podSelector, namespaceSelector, ipBlock }, index) => {
    const field = `${list}[${index}]`;
    checkLabelSelector(podSelector, `${field}.podSelector`, errors);
    checkLabelSelector(namespaceSelector, `${field}.namespaceSelector`, errors);
    if (ipBlock !== undefined) checkIpBlock(ipBlock, `${field}.ipBlock`, errors);
    if (podSelector === undefined && namespaceSelector === undefined) {
      if (ipBlock === undefined) errors.push(required(field, 'must specify a peer'));
    } else if (ipBlock !== undefined) {
      errors.push(fieldForbidden(field, 'may not specify both ipBlock and another peer'));
    }
  });
}

function checkIpBlock(
  { cidr = '', except = [] }: IPBlock,
  field: string,
  errors: FieldError[],
): void {
  if (cidr === '') return; // required by the schema
  const range = parseIpRange(cidr);
  if (range === undefined) {
    errors.push(invalid(`${field}.cidr`, cidr, 'not a valid CIDR'));
    return;
  }
  for (const [index, text] of except.entries()) {
    const exception = parseIpRange(text);
    const exceptField = `${field}.except[${index}]`;
    if (exception === undefined) {
      errors.push(invalid(exceptField, text, 'not a valid CIDR'));
      return;
    }
    if (isStrictSubrange(exception, range)) continue;
    errors.push(invalid(exceptField, text, 'must be a strict subset of `cidr`'));
  }
}
