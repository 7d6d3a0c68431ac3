// The newest release takes objects of old kinds with warnings, and keeps some members.
import t from 'tap';
import '../support/newest-release.ts';
import { selfSigned } from '../support/self-signed.ts';
import type { FeatureGate } from '../../src/release/feature-gates.ts';
import type { ApiObject, BuiltInKind } from '../../src/resources/kind.ts';

const { DEFAULT_GATES } = await import('../../src/release/own-gates.ts');
const { builtInRules } = await import('../../src/types/built-in/built-in-type.ts');
const { KINDS, resourceKey } = await import('../../src/resources/registry.ts');
const { enabledTypes, runningKinds } = await import('../../src/types/runtime-config.ts');
const { BUILT_IN_TYPES } = await import('../../src/types/served-types.ts');
const { compileValidators } = await import('../../src/semantics/validation/validator-compiler.ts');
const { MODEL, texts } = await import('../resources/kind-rules.ts');

const METADATA = { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '7' };
const OLDER = 'must not have leading 0s';

function kindOf(name: string): BuiltInKind {
  const kind = KINDS.find((one) => one.kind === name);
  if (kind === undefined) throw new Error(`there is no ${name}`);
  return kind;
}

function warned(name: string, members: object): readonly string[] {
  const object = { metadata: METADATA, ...members } as ApiObject;
  return kindOf(name).createWarnings?.(object, DEFAULT_GATES) ?? [];
}

/** The errors of an update, with features switched off. */
function updateErrors(name: string, stored: object, object: object, off: FeatureGate[] = []) {
  const kind = kindOf(name);
  const gates = new Set(DEFAULT_GATES);
  for (const gate of off) gates.delete(gate);
  const rules = builtInRules(kind, MODEL, compileValidators(MODEL, [kind.message]), gates);
  const { namespace, ...clusterWide } = METADATA;
  const metadata = kind.namespaced ? { ...clusterWide, namespace } : clusterWide;
  const whole = (members: object): ApiObject => ({ metadata, ...members });
  return texts(rules.validateUpdate(whole(object), whole(stored)));
}

t.test('a Service is warned of what is ignored or deprecated', async (t) => {
  const annotations = { 'service.cluster.io/topology-aware-hints': 'auto' };
  const headless = { type: 'ClusterIP', clusterIP: 'None', sessionAffinity: 'None' };
  const metadata = { ...METADATA, annotations };
  t.same(warned('Service', { metadata, spec: headless }), [
    'annotation service.cluster.io/topology-aware-hints is deprecated, please use service.cluster.io/topology-mode instead',
  ]);
  const ignored = {
    ...headless,
    sessionAffinity: 'ClientIP',
    loadBalancerIP: '203.0.113.1',
    externalIPs: ['203.0.113.2'],
    externalName: 'example.com',
    trafficDistribution: 'PreferClose',
  };
  t.same(warned('Service', { spec: ignored }), [
    'spec.loadBalancerIP is ignored for headless services',
    'spec.externalIPs is ignored for headless services',
    'spec.SessionAffinity is ignored for headless services',
    'spec.externalName is ignored when spec.type is not "ExternalName"',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ]);
  const named = { type: 'ExternalName', externalName: 'example.com', externalIPs: ['203.0.113.2'] };
  t.same(warned('Service', { spec: named }), [
    'spec.externalIPs is ignored when spec.type is "ExternalName"',
  ]);
});

t.test('a Service is warned of addresses that others read in another way', async (t) => {
  const spec = {
    type: 'LoadBalancer',
    clusterIP: '10.0.0.01',
    clusterIPs: ['10.0.0.01'],
    externalIPs: ['2001:DB8::1'],
    loadBalancerIP: '203.0.113.01',
    loadBalancerSourceRanges: ['203.0.113.1/24'],
  };
  t.same(warned('Service', { spec }), [
    'spec.clusterIPs[0]: non-standard IP address "10.0.0.01" is invalid: use "10.0.0.1"',
    'spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    'spec.loadBalancerIP: non-standard IP address "203.0.113.01" is invalid: use "203.0.113.1"',
    'spec.loadBalancerSourceRanges[0]: CIDR value "203.0.113.1/24" is ambiguous in this context (should be "203.0.113.0/24" or "203.0.113.1/32"?)',
  ]);
  const status = { loadBalancer: { ingress: [{ ip: '203.0.113.01' }] } };
  const balanced = { metadata: METADATA, status } as unknown as ApiObject;
  for (const kind of ['Service', 'Ingress']) {
    t.same(kindOf(kind).statusWarnings?.(balanced), [
      'status.loadBalancer.ingress[0]: non-standard IP address "203.0.113.01" is invalid: use "203.0.113.1"',
    ]);
  }
});

t.test('addresses that a Service has may stay', async (t) => {
  const spec = {
    type: 'LoadBalancer',
    sessionAffinity: 'None',
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    clusterIP: '10.0.0.01',
    clusterIPs: ['10.0.0.01'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
    externalTrafficPolicy: 'Cluster',
    allocateLoadBalancerNodePorts: true,
    externalIPs: ['203.0.113.01'],
    loadBalancerSourceRanges: ['203.0.113.1/24'],
  };
  t.same(updateErrors('Service', { spec }, { spec }), []);
  const more = { ...spec, externalIPs: ['203.0.113.01', '203.0.113.02'] };
  t.same(updateErrors('Service', { spec }, { spec: more }), [
    `spec.externalIPs[1]: Invalid value: "203.0.113.02": ${OLDER}`,
  ]);
  t.same(updateErrors('Service', { spec }, { spec: more }, ['StrictIPCIDRValidation']), []);
});

t.test('Endpoints are warned of such addresses, but not who keeps them', async (t) => {
  const subsets = [{ addresses: [{ ip: '192.0.2.01' }], notReadyAddresses: [{ ip: '::FFFF' }] }];
  t.same(warned('Endpoints', { subsets }), [
    'subsets[0].addresses[0].ip: non-standard IP address "192.0.2.01" is invalid: use "192.0.2.1"',
    'subsets[0].notReadyAddresses[0].ip: IPv6 address "::FFFF" should be in RFC 5952 canonical format ("::ffff")',
  ]);
  const labels = { 'endpoints.cluster.io/managed-by': 'endpoints-controller' };
  t.same(warned('Endpoints', { metadata: { ...METADATA, labels }, subsets }), []);
});

t.test('subsets of Endpoints that do not change may be wrong', async (t) => {
  const subsets = [{ addresses: [{ ip: '192.0.2.01' }] }];
  t.same(updateErrors('Endpoints', { subsets }, { subsets }), []);
  t.same(updateErrors('Endpoints', {}, { subsets }), [
    `subsets[0].addresses[0].ip: Invalid value: "192.0.2.01": ${OLDER}`,
  ]);
});

t.test('endpoints of a slice that do not change may be wrong', async (t) => {
  const slice = { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.01'] }], ports: [] };
  t.same(updateErrors('EndpointSlice', slice, slice), []);
  const changed = { ...slice, endpoints: [...slice.endpoints, { addresses: ['192.0.2.2'] }] };
  t.same(updateErrors('EndpointSlice', slice, changed), [
    `endpoints[0].addresses[0]: Invalid value: "192.0.2.01": ${OLDER}`,
  ]);
});

t.test('an EndpointSlice is warned of domain names and sloppy addresses', async (t) => {
  const endpoints = [{ addresses: ['192.0.2.01'] }];
  const told = [
    'endpoints[0].addresses[0]: non-standard IP address "192.0.2.01" is invalid: use "192.0.2.1"',
  ];
  t.same(warned('EndpointSlice', { addressType: 'IPv4', endpoints }), told);
  t.same(warned('EndpointSlice', { addressType: 'FQDN', endpoints: [] }), [
    'spec.addressType: FQDN endpoints are deprecated',
  ]);
  const labels = {
    'endpointslice.cluster.io/managed-by': 'endpointslice-controller.cluster.io',
  };
  t.same(warned('EndpointSlice', { metadata: { ...METADATA, labels }, endpoints }), []);
});

t.test('ranges that a NetworkPolicy has may stay, with a warning', async (t) => {
  const spec = {
    podSelector: {},
    egress: [{ to: [{ ipBlock: { cidr: '10.0.0.1/8', except: ['10.1.0.0/016'] } }] }],
    policyTypes: ['Egress'],
  };
  t.same(updateErrors('NetworkPolicy', { spec }, { spec }), []);
  t.same(updateErrors('NetworkPolicy', { spec: { ...spec, egress: [] } }, { spec }).length, 2);
  t.same(warned('NetworkPolicy', { spec }), [
    'spec.egress[0].to[0].ipBlock.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    'spec.egress[0].to[0].ipBlock.except[0]: non-standard CIDR value "10.1.0.0/016" is invalid: use "10.1.0.0/16"',
  ]);
});

t.test('an Ingress is warned of the annotation of its class', async (t) => {
  const annotations = { 'cluster.io/ingress.class': 'fast' };
  const metadata = { ...METADATA, annotations };
  t.same(warned('Ingress', { metadata, spec: { ingressClassName: 'fast' } }), []);
  t.same(warned('Ingress', { metadata, spec: {} }), [
    'annotation "cluster.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
  ]);
});

t.test('volumes and claims are warned of what is deprecated', async (t) => {
  const zone = 'failure-domain.beta.cluster.io/zone';
  const nodeSelectorTerms = [{ matchExpressions: [{ key: zone, operator: 'Exists' }] }];
  const annotations = {
    'volume.beta.cluster.io/mount-options': 'ro',
    'volume.beta.cluster.io/storage-class': 'fast',
  };
  const old = 'deprecated since v1.17; use "topology.cluster.io/zone" instead';
  const storageClass =
    'metadata.annotations[volume.beta.cluster.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead';
  const volume = {
    metadata: { ...METADATA, annotations },
    spec: {
      persistentVolumeReclaimPolicy: 'Recycle',
      nodeAffinity: { required: { nodeSelectorTerms } },
      rbd: {},
    },
  };
  t.same(warned('PersistentVolume', volume), [
    storageClass,
    'metadata.annotations[volume.beta.cluster.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    `spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: ${zone} is ${old}`,
    'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
  ]);
  const resources = { requests: { storage: '1500m' }, limits: { storage: '2' } };
  const claim = { metadata: { ...METADATA, annotations }, spec: { resources } };
  t.same(warned('PersistentVolumeClaim', claim), [
    storageClass,
    'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
  ]);
  const nodeTopology = { matchLabels: { [zone]: 'a' }, matchExpressions: [{ key: zone }] };
  t.same(warned('CSIStorageCapacity', { nodeTopology }), [
    `nodeTopology.matchExpressions[0].key: ${zone} is ${old}`,
    `nodeTopology.matchLabels.${zone}: ${old}`,
  ]);
  t.same(warned('RuntimeClass', { scheduling: { nodeSelector: { [zone]: 'a' } } }), [
    `scheduling.nodeSelector: ${old}`,
  ]);
  const allowedTopologies = [{ matchLabelExpressions: [{ key: zone, values: ['a'] }] }];
  t.same(warned('StorageClass', { allowedTopologies }), [
    `allowedTopologies[0].matchLabelExpressions[0].key: ${old}`,
  ]);
});

t.test('a volume says when its phase became what it is', async (t) => {
  const volume = kindOf('PersistentVolume');
  const of = (phase: string, time?: string): ApiObject => ({
    metadata: METADATA,
    status: { phase, ...(time === undefined ? {} : { lastPhaseTransitionTime: time }) },
  });
  const timeAfter = (object: ApiObject, stored: ApiObject): unknown => {
    volume.prepareForStatusUpdate?.(object, stored, DEFAULT_GATES);
    return (object['status'] as { lastPhaseTransitionTime?: string }).lastPhaseTransitionTime;
  };
  const [then, later] = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'];
  t.equal(timeAfter(of('Bound'), of('Bound', then)), then, 'it stays with the phase');
  t.equal(timeAfter(of('Bound', later), of('Available', then)), later, 'writers may say it');
  t.match(timeAfter(of('Bound', then), of('Available', then)), /^20(?!24)/, 'it is now otherwise');
});

t.test('a bound claim may get smaller and have other attributes', async (t) => {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '5Gi' } },
    volumeAttributesClassName: 'a',
    volumeMode: 'Filesystem',
  };
  const status = {
    phase: 'Bound',
    capacity: { storage: '2Gi' },
    currentVolumeAttributesClassName: 'a',
  };
  const stored = { spec, status };
  const sized = (storage: string): object => ({ resources: { requests: { storage } } });
  const after = (change: object): readonly string[] => {
    return updateErrors('PersistentVolumeClaim', stored, { spec: { ...spec, ...change }, status });
  };
  t.same(after({ ...sized('3Gi'), volumeAttributesClassName: 'b' }), []);
  t.same(after(sized('2Gi')), [
    'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  ]);
  const fixed = 'is forbidden when status.currentVolumeAttributesClassName is not nil';
  t.same(after({ volumeAttributesClassName: undefined }), [
    `spec.volumeAttributesClassName: Forbidden: update to nil ${fixed}`,
  ]);
  t.same(after({ volumeAttributesClassName: '' }), [
    `spec.volumeAttributesClassName: Forbidden: update to empty string ${fixed}`,
  ]);
});

t.test('a Node is warned of what is gone, and of its ranges', async (t) => {
  const spec = {
    configSource: {},
    externalID: 'old',
    podCIDRs: ['10.0.0.1/8'],
  };
  t.same(warned('Node', { spec }), [
    'spec.configSource: the feature is removed',
    'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    'spec.podCIDRs[0]: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
  ]);
});

t.test('a Secret is warned of a certificate and a key that are no pair', async (t) => {
  const { cert: certificate, key } = await selfSigned([]);
  const other = await selfSigned([]);
  const text = (pem: string): string => Buffer.from(pem).toString('base64');
  const told = (crt: string, keyText: string, type = 'cluster.io/tls'): readonly string[] =>
    warned('Secret', { type, data: { 'tls.crt': text(crt), 'tls.key': text(keyText) } });
  t.same(told(certificate, key), []);
  t.same(told('', '', 'Opaque'), []);
  t.same(told('', key), ['tls: failed to find any PEM data in certificate input']);
  t.same(told(certificate, ''), ['tls: failed to find any PEM data in key input']);
  t.same(told(key, certificate), [
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ]);
  t.same(told(certificate, certificate), [
    'tls: found a certificate rather than a key in the PEM for the private key',
  ]);
  t.same(told(certificate, other.key), ['tls: private key does not match public key']);
  const request = certificate.replaceAll('CERTIFICATE', 'PARAMETERS');
  t.same(told(request, key), [
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [PARAMETERS]',
  ]);
  t.same(told(certificate, request), [
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [PARAMETERS]',
  ]);
  const broken = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';
  t.same(told(broken, key), ['x509: malformed certificate']);
  const noKey = '-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n';
  t.same(told(certificate, noKey), ['tls: failed to parse private key']);
});

t.test('selectors of webhooks may go on asking for what no label can be', async (t) => {
  const hook = (value: string): object => ({
    name: 'a.example.com',
    sideEffects: 'None',
    failurePolicy: 'Fail',
    matchPolicy: 'Exact',
    timeoutSeconds: 5,
    admissionReviewVersions: ['v1'],
    clientConfig: { url: 'https://example.com/' },
    namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: [value] }] },
    objectSelector: {},
  });
  const name = 'ValidatingWebhookConfiguration';
  const [right, wrong, other] = ['b', 'b c', 'c d'].map((value) => ({ webhooks: [hook(value)] }));
  t.same(updateErrors(name, wrong ?? {}, other ?? {}), []);
  const errors = updateErrors(name, right ?? {}, wrong ?? {});
  t.match(errors, [/^webhooks\[0\]\.namespaceSelector\.matchExpressions\[0\]\.values\[0\]/]);
});

t.test('a kind that is not served where nobody says so has a shard only if it is', async (t) => {
  const running = (text: string): readonly string[] =>
    runningKinds(enabledTypes(BUILT_IN_TYPES, text), []).map(resourceKey);
  for (const [resource, version] of [
    ['podgroups.scheduling.cluster.io', 'scheduling.cluster.io/v1beta1'],
    ['leasecandidates.coordination.cluster.io', 'coordination.cluster.io/v1beta1'],
  ] as const) {
    t.notOk(running('').includes(resource), resource);
    t.ok(running(`${version}=true`).includes(resource), version);
  }
  t.ok(running('storage.cluster.io/v1=false').includes('storageclasses.storage.cluster.io'));
});
