/** NetworkPolicy (README.md#networking). */
import type { LabelSelector } from '#messages/meta.v1';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '#messages/networking.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
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
import { ipRangeWarnings } from '../../semantics/validation/address-warnings.ts';
import {
  isStrictSubrange,
  parseIpRange,
  type IpRange,
} from '../../semantics/validation/ip-address.ts';
import { checkLabelSelector } from '../../semantics/metadata/label-validation.ts';
import { checkConditions } from '../../semantics/validation/condition-validation.ts';
import {
  addressRules,
  checkIpRange,
  checkPortNumber,
  checkPortNumberOrName,
  type AddressRules,
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
  ...(ownRelease().has('extensionsInErrors') ? { groupOfErrors: 'extensions' } : {}),
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  message: 'networking.v1.NetworkPolicy',
  nameRule: 'dnsSubdomain',
  ...(ownRelease().has('freePolicyNames') && { freeName: true, freeGenerateName: true }),
  ...(ownRelease().has('networkPolicyStatus') && {
    statusSubresource: { metadataWritable: true },
  }),
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

  dropDisabled(object, gates, stored) {
    const { spec, status } = object;
    // A status that was there may only be cleared.
    if (stored !== undefined && !gates.has('NetworkPolicyStatus') && status?.conditions?.length) {
      object.status = stored.status ?? {};
    }
    const hasEndPort = portsOf(stored?.spec).some(({ endPort }) => endPort !== undefined);
    if (gates.has('NetworkPolicyEndPort') || hasEndPort) return;
    for (const port of portsOf(spec)) delete port.endPort;
  },

  validate({ spec = {} }, stored, { gates }) {
    const { podSelector, ingress = [], egress = [], policyTypes = [] } = spec;
    const kept = stored?.spec?.podSelector;
    const context = { kept, ranges: addressRules(gates, stored && rangesOf(stored.spec)) };
    const errors: FieldError[] = [];
    checkLabelSelector(podSelector, 'spec.podSelector', errors, kept);
    ingress.forEach(({ ports = [], from = [] }, index) => {
      const field = `spec.ingress[${index}]`;
      checkPorts(ports, `${field}.ports`, errors);
      checkPeers(from, `${field}.from`, context, errors);
    });
    egress.forEach(({ ports = [], to = [] }, index) => {
      const field = `spec.egress[${index}]`;
      checkPorts(ports, `${field}.ports`, errors);
      checkPeers(to, `${field}.to`, context, errors);
    });
    checkTypes(policyTypes, 'spec.policyTypes', errors);
    return errors;
  },

  createWarnings: rangesWarnings,

  updateWarnings: rangesWarnings,

  validateStatusUpdate({ status }) {
    const errors: FieldError[] = [];
    checkConditions(status?.conditions ?? [], 'status.conditions', errors);
    return errors;
  },
});

/** Facts that rules for peers need besides them. */
interface PeerContext {
  /** The stored selector: where it is wrong, so may be the others. */
  readonly kept: LabelSelector | undefined;
  readonly ranges: AddressRules;
}

interface Block {
  readonly block: IPBlock;
  readonly field: string;
}

/** The blocks of addresses in all rules. */
function blocksOf({ ingress = [], egress = [] }: NonNullable<NetworkPolicy['spec']>): Block[] {
  const peers = [
    ...ingress.map(({ from = [] }, index) => ({ list: from, field: `ingress[${index}].from` })),
    ...egress.map(({ to = [] }, index) => ({ list: to, field: `egress[${index}].to` })),
  ];
  return peers.flatMap(({ list, field }) =>
    list.flatMap(({ ipBlock }, at) =>
      ipBlock === undefined ? [] : [{ block: ipBlock, field: `spec.${field}[${at}].ipBlock` }],
    ),
  );
}

function rangesOf(spec: NetworkPolicy['spec'] = {}): string[] {
  return blocksOf(spec).flatMap(({ block: { cidr = '', except = [] } }) => [cidr, ...except]);
}

function rangesWarnings({ spec = {} }: NetworkPolicy): string[] {
  return blocksOf(spec).flatMap(({ block: { cidr = '', except = [] }, field }) => [
    ...ipRangeWarnings(cidr, `${field}.cidr`),
    ...except.flatMap((range, index) => ipRangeWarnings(range, `${field}.except[${index}]`)),
  ]);
}

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

function checkPeers(
  peers: readonly NetworkPolicyPeer[],
  list: string,
  { kept, ranges }: PeerContext,
  errors: FieldError[],
): void {
  peers.forEach(({ podSelector, namespaceSelector, ipBlock }, index) => {
    const field = `${list}[${index}]`;
    checkLabelSelector(podSelector, `${field}.podSelector`, errors, kept);
    checkLabelSelector(namespaceSelector, `${field}.namespaceSelector`, errors, kept);
    if (ipBlock !== undefined) checkIpBlock(ipBlock, `${field}.ipBlock`, ranges, errors);
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
  rules: AddressRules,
  errors: FieldError[],
): void {
  if (cidr === '') return; // required by the schema
  const tellsAll = ownRelease().has('addressesOneByOne');
  const range = checkRange(cidr, `${field}.cidr`, rules, errors);
  if (range === undefined) return;
  for (const [index, text] of except.entries()) {
    const exceptField = `${field}.except[${index}]`;
    const exception = checkRange(text, exceptField, rules, errors);
    if (exception === undefined) {
      if (tellsAll) continue;
      return;
    }
    if (isStrictSubrange(exception, range)) continue;
    errors.push(invalid(exceptField, text, 'must be a strict subset of `cidr`'));
  }
}

/** The range, unless there is none. */
function checkRange(
  text: string,
  field: string,
  rules: AddressRules,
  errors: FieldError[],
): IpRange | undefined {
  const range = parseIpRange(text);
  if (ownRelease().has('addressesOneByOne')) checkIpRange(text, field, errors, rules);
  else if (range === undefined) errors.push(invalid(field, text, 'not a valid CIDR'));
  return range;
}
