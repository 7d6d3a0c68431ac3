/** A process in the dialect of public clients has these names for things. */
import '../support/k8s-dialect.ts';
import t from 'tap';
import { newTokenKey } from '../../src/auth/authentication/service-accounts/token-keys.ts';
import { ServiceAccountTokens } from '../../src/auth/service-account-tokens.ts';
import {
  aggregatedDocuments,
  aggregatedMediaType,
} from '../../src/front/discovery/aggregated-discovery.ts';
import { discoveryDocuments } from '../../src/front/discovery/discovery-documents.ts';
import type { ApiResourceList } from '../../src/front/discovery/discovery-documents.ts';
import { bodyFormat, mediaTypeOf, negotiate } from '../../src/front/requests/negotiate.ts';
import { definitionName } from '../../src/front/openapi/definition-names.ts';
import { Query } from '../../src/front/requests/query.ts';
import { Router } from '../../src/front/requests/route.ts';
import { CUSTOM_RESOURCE_DEFINITION } from '../../src/resources/apiextensions/custom-resource-definition.ts';
import { EmbeddedResources } from '../../src/schema/embedded-metadata.ts';
import { MODEL } from '../resources/kind-rules.ts';
import { checkFlexVolume } from '../../src/resources/core/volumes/volume-source-rules.ts';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';
import { SYSTEM_NAMESPACES } from '../../src/resources/core/namespace.ts';
import { KINDS, resourceKey } from '../../src/resources/registry.ts';
import { enabledTypes, RuntimeConfigError } from '../../src/types/runtime-config.ts';
import { BUILT_IN_TYPES as TYPES } from '../../src/types/served-types.ts';
import { VIRTUAL_KINDS } from '../../src/resources/virtual-kinds.ts';
import { K8S } from '../../src/semantics/dialect/dialect.ts';
import {
  chooseDialect,
  ownDialect,
  ownDomain,
  ownGroupVersion,
  ownManager,
  ownName,
  ownNamespaceFinalizer,
  ownResource,
  ownText,
} from '../../src/semantics/dialect/own-names.ts';
import { badRequest, expired } from '../../src/semantics/errors/status.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { FakeExchange } from '../support/fake-exchange.ts';
import { Setup } from '../support/fan-out.ts';
import { signedToken } from '../support/signed-token.ts';
import { thrownStatus } from '../support/thrown-status.ts';

t.test('names are those that clients know', async (t) => {
  t.equal(ownDialect(), K8S);
  t.throws(() => chooseDialect('cluster.io'), /names of k8s\.io are in use, and not of cluster/);
  const rows = [
    [ownGroupVersion('storage.cluster.io/v1'), 'storage.k8s.io/v1'],
    [ownName('cluster.io/hostname'), 'kubernetes.io/hostname'],
    [ownText('A type: `cluster.io/tls`.'), 'A type: `kubernetes.io/tls`.'],
    [ownName('cluster.io/deprecated'), 'k8s.io/deprecated'],
    [ownName('api-approved.cluster.io'), 'api-approved.kubernetes.io'],
    [ownName('node-role.cluster.io/'), 'node-role.kubernetes.io/'],
    [ownDomain('cluster.io'), 'kubernetes.io'],
    [ownManager('client'), 'kubectl'],
    [ownNamespaceFinalizer('cluster'), 'kubernetes'],
    [ownResource('leases.coordination.cluster.io'), 'leases.coordination.k8s.io'],
  ] as const;
  for (const [own, expected] of rows) t.equal(own, expected);
  t.same(SYSTEM_NAMESPACES, ['default', 'kube-system', 'kube-public', 'kube-node-lease']);
  t.notMatch(JSON.stringify([KINDS, VIRTUAL_KINDS]), 'cluster.io');
});

t.test('rules about the names of the project', async (t) => {
  const definition = (group: string) => ({
    metadata: { name: `widgets.${group}` },
    spec: { group },
  });
  const embedded = new EmbeddedResources(MODEL);
  const approval = (group: string): unknown[] =>
    (
      CUSTOM_RESOURCE_DEFINITION.validate?.(definition(group), undefined, {
        part: '',
        found: [],
        groupVersion: 'apiextensions.k8s.io/v1',
        gates: DEFAULT_GATES,
        embedded,
      }) ?? []
    ).filter(({ field }) => field === 'metadata.annotations[api-approved.kubernetes.io]');
  t.equal(approval('example.k8s.io').length, 1);
  t.equal(approval('kubernetes.io').length, 1);
  t.same(approval('cluster.io'), [], 'a domain like any other');
  const errors: FieldError[] = [];
  const options = { 'a.kubernetes.io/x': '', 'K8s.io/y': '', 'cluster.io/z': '' };
  checkFlexVolume({ options }, 'spec', errors);
  t.same(
    errors.map(({ field, message }) => [field, message.slice(message.lastIndexOf(':') + 2)]),
    ['a.kubernetes.io/x', 'K8s.io/y'].map((key) => [
      `spec.options[${key}]`,
      'kubernetes.io and k8s.io namespaces are reserved',
    ]),
  );
});

t.test('what folders know resource types by is the same in both dialects', async (t) => {
  const keys = KINDS.map((kind) => resourceKey(kind));
  t.ok(keys.includes('leases.coordination.cluster.io') && keys.includes('pods'));
  t.notMatch(keys.join(), 'k8s.io');
});

t.test('routes', async (t) => {
  const router = new Router(TYPES, VIRTUAL_KINDS);
  const found = router.resolve('get', '/apis/storage.k8s.io/v1/storageclasses/x', false);
  t.match(found, { verb: 'get', shard: 'storageclasses.storage.cluster.io', name: 'x' });
  const inNamespace = router.resolve('get', '/api/v1/namespaces/kube-system/pods/p', false);
  t.match(inNamespace, { namespace: 'kube-system', name: 'p' });
  const reviews = router.resolve('post', '/apis/authentication.k8s.io/v1/tokenreviews', false);
  t.match(reviews, { verb: 'operation', operation: 'tokenreviews.authentication.cluster.io' });
  const old = router.resolve('get', '/apis/discovery.k8s.io/v1beta1/endpointslices', false);
  t.match(old, { warning: /^discovery\.k8s\.io\/v1beta1 .*; use discovery\.k8s\.io\/v1 / });
  t.throws(() => router.resolve('get', '/apis/storage.cluster.io/v1/storageclasses', false), {
    name: 'PageNotFound',
  });
  const none = thrownStatus(() => router.resolve('get', '/apis/storage.k8s.io/v2/x', false));
  t.match(none, { code: 404 }, 'of a group that is there');
});

t.test('--runtime-config', async (t) => {
  const left = enabledTypes(TYPES, 'api/all,storage.k8s.io/v1=false');
  const off = TYPES.filter(({ groupVersion }) => groupVersion !== 'storage.k8s.io/v1');
  t.same(left, off);
  t.ok(off.length < TYPES.length);
  t.throws(() => enabledTypes(TYPES, 'storage.cluster.io/v1=false'), RuntimeConfigError);
});

t.test('media types', async (t) => {
  t.equal(mediaTypeOf('protobuf'), 'application/vnd.kubernetes.protobuf');
  t.equal(bodyFormat('application/vnd.kubernetes.protobuf'), 'protobuf');
  const refused = thrownStatus(() => bodyFormat('application/vnd.cluster.protobuf'));
  t.match(refused, { code: 415, message: /, application\/vnd\.kubernetes\.protobuf$/ });
  const formOf = (accept: string) => {
    const shown = { verb: 'list', message: 'core.v1.ConfigMap', subresource: '' } as const;
    return negotiate(accept, shown, new Query(''));
  };
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  t.same(formOf(table), { encoding: 'json', as: 'Table', metaVersion: 'v1' });
  t.same(formOf('application/vnd.kubernetes.protobuf'), { encoding: 'protobuf' });
  t.same(formOf('application/vnd.cluster.protobuf, application/json'), { encoding: 'json' });
});

t.test('discovery, with the hashes of any server with such names', async (t) => {
  const documents = discoveryDocuments(
    { types: TYPES, virtualKinds: VIRTUAL_KINDS },
    '127.0.0.1:6443',
  );
  t.notMatch(JSON.stringify([...documents]), 'cluster.io');
  const hashOf = (groupVersion: string, resource: string): string | undefined => {
    const list = documents.get(groupVersion) as ApiResourceList;
    return list.resources.find(({ name }) => name === resource)?.storageVersionHash;
  };
  const flows = '/apis/flowcontrol.apiserver.k8s.io/v1beta2';
  const hashes: readonly [string, string, string][] = [
    ['/apis/storage.k8s.io/v1', 'storageclasses', 'K+m6uJwbjGY='],
    ['/api/v1', 'configmaps', 'qFsyl6wFWjQ='],
    // Stored in an older version there.
    ['/apis/autoscaling/v2', 'horizontalpodautoscalers', 'oQlkt7f5j/A='],
    ['/apis/policy/v1', 'poddisruptionbudgets', '6BGBu0kpHtk='],
    ['/apis/apiextensions.k8s.io/v1', 'customresourcedefinitions', 'jfWCUB31mvA='],
    ['/apis/discovery.k8s.io/v1', 'endpointslices', 'Nx3SIv6I0mE='],
    [flows, 'flowschemas', '9bSnTLYweJ0='],
    [flows, 'prioritylevelconfigurations', 'BFVwf8eYnsw='],
  ];
  for (const [path, resource, hash] of hashes) t.equal(hashOf(path, resource), hash, resource);
  const aggregated = aggregatedDocuments({ types: TYPES, virtualKinds: VIRTUAL_KINDS }, 'v2');
  t.equal(aggregated['/apis'].apiVersion, 'apidiscovery.k8s.io/v2');
  const names = aggregated['/apis'].items.map(({ metadata }) => metadata.name);
  const first = ['apiregistration.k8s.io', 'apps', 'events.k8s.io', 'authentication.k8s.io'];
  t.same(names.slice(0, 4), first);
  t.equal(
    aggregatedMediaType('application/json', 'v2'),
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  );
});

t.test('names of definitions', async (t) => {
  t.equal(definitionName('core.v1.Pod'), 'io.k8s.api.core.v1.Pod');
  t.equal(
    definitionName('apiregistration.v1.APIService'),
    'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService',
  );
});

t.test('tokens: its own, and those of a time with the neutral names', async (t) => {
  const pem = newTokenKey();
  const tokens = new ServiceAccountTokens({ signingKey: pem });
  const seconds = Date.UTC(2024, 0, 1) / 1000;
  const account = { namespace: 'kube-system', serviceaccount: { name: 'robot', uid: 'u-1' } };
  const audiences = ['x', tokens.issuer];
  const options = { account, audiences, nowMs: seconds * 1000, expirationSeconds: 600 };
  const token = tokens.issue(options);
  const [header = '', payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  t.match(claims, { 'kubernetes.io': account, iss: 'https://kubernetes.default.svc' });
  const { 'kubernetes.io': _account, ...others } = claims;
  const issuer = 'https://cluster.default.svc';
  const neutral = signedToken(pem, header, {
    ...others,
    aud: ['x', issuer],
    iss: issuer,
    'cluster.io': { ...account, namespace: 'cluster-system' },
    sub: 'system:serviceaccount:cluster-system:robot',
  });
  for (const issued of [token, neutral]) {
    t.match(tokens.read(issued), {
      namespace: 'kube-system',
      account: account.serviceaccount,
      audiences,
    });
  }
});

t.test('where a watch has expired, an ERROR event is all that comes', async (t) => {
  const setup = new Setup();
  const client = new FakeExchange();
  setup.open({}, '1', {}, client);
  setup.answer('watch', expired('too old resource version: 1 (2)'));
  t.same(client.events, ['ERROR too old resource version: 1 (2)']);
  t.equal(client.began, true);
  t.equal(client.ended, true);
  t.equal(setup.timers.size, 0);
  const refused = new FakeExchange();
  setup.open({}, 'x', {}, refused);
  setup.answer('watch', badRequest('no'));
  t.match(refused.status, { code: 400 }, 'nothing else is');
});

t.test('agents may set no labels that public clients give a meaning to', async (t) => {
  const { forbiddenChanges } =
    await import('../../src/admission/plugins/node-restriction/node-labels.ts');
  const forbidden = [
    'k8s.io/a',
    'kubernetes.io/a',
    'node-restriction.kubernetes.io/a',
    'node.k8s.io/a',
  ];
  const keys = ['cluster.io/a', 'kubernetes.io/hostname', 'a.node.kubernetes.io/a', ...forbidden];
  t.same(forbiddenChanges(Object.fromEntries(keys.map((key) => [key, '']))), forbidden);
});
