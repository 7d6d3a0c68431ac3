/** Definitions by hand: what clients validate with, explain and patch by. */
import t from 'tap';
import { definitionName, messageName } from '../../../src/front/openapi/definition-names.ts';
import { V2, v3Of } from './documents-under-test.ts';
import type { Schema } from './documents-under-test.ts';

const META = 'io.cluster.apimachinery.pkg.apis.meta.v1';
const definition = (name: string): Schema => bare(V2.definitions[`io.cluster.${name}`] ?? {});
const ref = (name: string): Schema => ({ $ref: `#/definitions/io.cluster.${name}` });

/** A schema without what it says to people. */
function bare(schema: Schema): Schema {
  const text = JSON.stringify(schema, (_name, value: unknown) => {
    const isDescribed = typeof Object(value).description === 'string';
    return isDescribed ? { ...(value as Schema), description: undefined } : value;
  });
  return JSON.parse(text) as Schema;
}

t.test('names of definitions', async (t) => {
  const names = [
    ['core.v1.Pod', 'io.cluster.api.core.v1.Pod'],
    ['rbac.v1.Role', 'io.cluster.api.rbac.v1.Role'],
    ['meta.v1.ObjectMeta', 'io.cluster.apimachinery.pkg.apis.meta.v1.ObjectMeta'],
    ['Time', 'io.cluster.apimachinery.pkg.apis.meta.v1.Time'],
    ['Quantity', 'io.cluster.apimachinery.pkg.api.resource.Quantity'],
    ['IntOrString', 'io.cluster.apimachinery.pkg.util.intstr.IntOrString'],
    ['RawExtension', 'io.cluster.apimachinery.pkg.runtime.RawExtension'],
    ['apiextensions.v1.JSON', 'io.cluster.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON'],
    [
      'apiregistration.v1.APIService',
      'io.cluster.cluster-aggregator.pkg.apis.apiregistration.v1.APIService',
    ],
  ] as const;
  for (const [type, name] of names) t.equal(definitionName(type), name);
  t.equal(
    messageName('flowcontrol.apiserver.cluster.io', 'v1beta2', 'FlowSchema'),
    'flowcontrol.v1beta2.FlowSchema',
  );
  t.equal(messageName('', 'v1', 'Pod'), 'core.v1.Pod');
});

t.test('what the public documents have besides', async (t) => {
  const unions = (name: string): unknown => definition(name)['x-kubernetes-unions'];
  const limit = { discriminator: 'type', 'fields-to-discriminateBy': { queuing: 'Queuing' } };
  for (const version of ['v1beta1', 'v1beta2']) {
    t.same(unions(`api.flowcontrol.${version}.LimitResponse`), [limit], version);
  }
  t.match(unions('api.core.v1.SeccompProfile'), [{ discriminator: 'type' }]);
  t.equal(unions('api.core.v1.Pod'), undefined);
  t.match(definition('apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement').properties, {
    key: { 'x-kubernetes-patch-merge-key': 'key', 'x-kubernetes-patch-strategy': 'merge' },
  });
  const kinds = definition('apimachinery.pkg.apis.meta.v1.DeleteOptions')[
    'x-kubernetes-group-version-kind'
  ];
  t.equal(kinds?.length, 52, 'of all group versions, served or not');
  t.match(definition('api.policy.v1beta1.PodDisruptionBudget').properties, {
    status: ref('api.policy.v1beta1.PodDisruptionBudgetStatus'),
  });
  t.ok(definition('api.policy.v1beta1.PodDisruptionBudgetStatus').properties);
  const { protocol } = definition('api.core.v1.ContainerPort').properties ?? {};
  t.same(protocol, { type: 'string' }, 'no allowed values');
  t.match((await v3Of('apis/apps/v1')).components.schemas['io.cluster.api.core.v1.ContainerPort'], {
    properties: { protocol: { enum: ['SCTP', 'TCP', 'UDP'] } },
  });
  const { delete: deleted } = V2.paths['/api/v1/namespaces/{name}'] ?? {};
  t.same(deleted?.responses['200'], {
    description: 'OK',
    schema: ref('apimachinery.pkg.apis.meta.v1.Status'),
  });
  t.match(V2.paths['/openid/v1/jwks/']?.['get'], { produces: ['application/jwk-set+json'] });
});

t.test('a ConfigMap and its list', async (t) => {
  t.match(V2.definitions['io.cluster.api.core.v1.ConfigMap'], {
    description: String,
    type: 'object',
    required: undefined,
    properties: {
      apiVersion: { type: 'string', description: String },
      kind: { type: 'string', description: String },
      metadata: { ...ref('apimachinery.pkg.apis.meta.v1.ObjectMeta'), description: String },
      data: { type: 'object', additionalProperties: { type: 'string' } },
      binaryData: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
      immutable: { type: 'boolean' },
    },
    'x-kubernetes-group-version-kind': [{ group: '', kind: 'ConfigMap', version: 'v1' }],
  });
  t.match(definition('api.core.v1.ConfigMapList'), {
    required: ['items'],
    properties: {
      items: { type: 'array', items: ref('api.core.v1.ConfigMap') },
      metadata: ref('apimachinery.pkg.apis.meta.v1.ListMeta'),
    },
    'x-kubernetes-group-version-kind': [{ group: '', kind: 'ConfigMapList', version: 'v1' }],
  });
});

t.test('ObjectMeta', async (t) => {
  const { properties = {} } = bare(V2.definitions[`${META}.ObjectMeta`] ?? {});
  t.same(properties['ownerReferences'], {
    type: 'array',
    items: ref('apimachinery.pkg.apis.meta.v1.OwnerReference'),
    'x-kubernetes-patch-merge-key': 'uid',
    'x-kubernetes-patch-strategy': 'merge',
  });
  t.same(properties['finalizers'], {
    type: 'array',
    items: { type: 'string' },
    'x-kubernetes-patch-strategy': 'merge',
  });
  t.same(properties['generation'], { type: 'integer', format: 'int64' });
  t.same(properties['creationTimestamp'], ref('apimachinery.pkg.apis.meta.v1.Time'));
  t.same(V2.definitions[`${META}.Time`]?.['format'], 'date-time');
  t.match(V2.definitions[`${META}.OwnerReference`], {
    required: ['apiVersion', 'kind', 'name', 'uid'],
    'x-kubernetes-map-type': 'atomic',
  });
});

t.test('Deployments, containers and volumes', async (t) => {
  const spec = definition('api.apps.v1.DeploymentSpec');
  t.same(spec.required, ['selector', 'template']);
  t.same(spec.properties?.['strategy'], {
    ...ref('api.apps.v1.DeploymentStrategy'),
    'x-kubernetes-patch-strategy': 'retainKeys',
  });
  const container = definition('api.core.v1.Container');
  t.same(container.required, ['name']);
  t.same(container.properties?.['ports'], {
    type: 'array',
    items: ref('api.core.v1.ContainerPort'),
    'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-patch-merge-key': 'containerPort',
    'x-kubernetes-patch-strategy': 'merge',
  });
  const { properties = {} } = definition('api.core.v1.PodSpec');
  t.match(properties['volumes'], { 'x-kubernetes-patch-strategy': 'merge,retainKeys' });
  t.match(properties['nodeSelector'], { 'x-kubernetes-map-type': 'atomic' });
  t.ok(definition('api.core.v1.Volume').properties?.['configMap'], 'inline members are members');
  const { properties: limits = {} } = definition('api.core.v1.ResourceRequirements');
  const quantities = ref('apimachinery.pkg.api.resource.Quantity');
  t.same(limits['limits'], { type: 'object', additionalProperties: quantities });
  t.match(definition('apimachinery.pkg.util.intstr.IntOrString'), {
    type: 'string',
    format: 'int-or-string',
  });
});

t.test('members that hold any JSON', async (t) => {
  const schema = 'apiextensions-apiserver.pkg.apis.apiextensions.v1';
  const { properties = {} } = definition(`${schema}.JSONSchemaProps`);
  t.same(properties['default'], ref(`${schema}.JSON`));
  t.same(properties['items'], ref(`${schema}.JSONSchemaPropsOrArray`));
  t.equal(definition(`${schema}.JSON`).type, undefined, 'of no type');
  const { properties: user = {} } = definition('api.authentication.v1.UserInfo');
  const strings = { type: 'array', items: { type: 'string' } };
  t.same(user['extra'], { type: 'object', additionalProperties: strings });
  const { properties: resource = {} } = bare(V2.definitions[`${META}.APIResource`] ?? {});
  t.same(resource['verbs'], strings);
});

t.test('a version that is stored in another one', async (t) => {
  const { properties = {} } = definition('api.batch.v1beta1.CronJob');
  t.match(properties['spec'], ref('api.batch.v1beta1.CronJobSpec'));
  const { properties: spec = {} } = definition('api.batch.v1beta1.CronJobSpec');
  t.same(spec['jobTemplate'], ref('api.batch.v1beta1.JobTemplateSpec'));
  const { properties: template = {} } = definition('api.batch.v1beta1.JobTemplateSpec');
  t.match(template['spec'], ref('api.batch.v1.JobSpec'), 'jobs have one version');
  t.match(definition('api.events.v1beta1.Event'), {
    'x-kubernetes-group-version-kind': [
      { group: 'events.cluster.io', kind: 'Event', version: 'v1beta1' },
    ],
  });
});

t.test('kinds that every group version has', async (t) => {
  const kinds = V2.definitions[`${META}.DeleteOptions`]?.['x-kubernetes-group-version-kind'] ?? [];
  const versions = kinds.map(({ group, version }) => `${group}/${version}`);
  t.ok(versions.includes('/v1') && versions.includes('batch/v1beta1'));
  t.equal(new Set(versions).size, versions.length);
});

t.test('defaults are said in version 3 alone', async (t) => {
  const { schemas } = (await v3Of('api/v1')).components;
  const port = schemas['io.cluster.api.core.v1.ContainerPort']?.properties ?? {};
  t.match(port['containerPort'], { type: 'integer', format: 'int32', default: 0 });
  t.match(port['protocol'], { default: 'TCP' }, 'what an absent key stands for');
  t.notOk('default' in (port['hostPort'] ?? {}));
  const { properties: container = {} } = bare(schemas['io.cluster.api.core.v1.Container'] ?? {});
  t.same(container['resources'], {
    default: {},
    allOf: [{ $ref: '#/components/schemas/io.cluster.api.core.v1.ResourceRequirements' }],
  });
  const { properties = {} } = definition('api.core.v1.ContainerPort');
  t.notOk('default' in (properties['protocol'] ?? {}), 'readers of version 2 stumble over them');
  t.ok(
    definition('api.core.v1.LimitRangeItem').properties?.['default'],
    'but a member may be named so',
  );
});
