/** Seeded policies, and objects to hold against them. */
import type { Random } from '../../../test/support/random.ts';

export interface PolicyCase {
  readonly sort: 'validating' | 'mutating';
  /** The members of the specification besides what it is for. */
  readonly spec: object;
  readonly binding: object;
}

/** The conditions of policies; most can be evaluated on some of the objects alone. */
const CONDITIONS: readonly [string, ...string[]] = [
  'true',
  'false',
  `object.metadata.name.startsWith('a')`,
  `has(object.metadata.labels) && 'tier' in object.metadata.labels`,
  `object.metadata.labels['tier'] == 'web'`,
  `has(object.spec) && object.spec.replicas > 2`,
  `object.spec.replicas <= 5`,
  `object.spec.template.spec.containers.all(c, c.image.startsWith('registry/'))`,
  `object.spec.template.spec.containers.exists(c, has(c.env) && c.env.exists(e, e.name == 'A'))`,
  `object.data.all(k, object.data[k].size() < 3)`,
  `object.data['a'].matches('^[a-z]+$')`,
  `int(object.data['n']) % 2 == 0`,
  `oldObject == null`,
  `request.operation == 'CREATE' && request.dryRun`,
  `request.kind.kind in ['Deployment', 'Pod']`,
  `request.userInfo.groups.exists(g, g == 'system:masters')`,
  `request.resource.resource == 'configmaps'`,
  `request.name == object.metadata.name`,
  `namespaceObject.metadata.name == request.namespace`,
  `!has(request.subResource)`,
  `quantity(object.data['q']).isGreaterThan(quantity('1'))`,
  `object.metadata.annotations.map(k, k.size()).sum() > 3`,
  `[1, 2, 3].exists_one(i, i == object.spec.replicas)`,
  `authorizer.group('').resource('pods').namespace('default').check('get').allowed()`,
  `authorizer.requestResource.check('create').reason() != ''`,
  `type(object.spec.replicas) == int`,
  `params == null || has(params.data)`,
  `object.metadata.nothing == 1`,
  `dyn(object.data) == {'a': 'b'}`,
];

const MESSAGES: readonly [string, ...string[]] = [
  `'no ' + object.metadata.name`,
  `object.data['a']`,
  `'two\\nlines'`,
  `'  '`,
  `'%d of %s'.format([size(object.metadata.name), request.operation])`,
];

const VARIABLES = [
  { name: 'name', expression: 'object.metadata.name' },
  { name: 'long', expression: 'variables.name.size() > 3' },
  { name: 'images', expression: 'object.spec.template.spec.containers.map(c, c.image)' },
];
const OF_VARIABLES: readonly [string, ...string[]] = [
  'variables.long',
  `variables.images.all(i, i.contains('/'))`,
  `variables.name == 'abc'`,
];

const TEMPLATE = 'Object.spec.template';
const POD = `${TEMPLATE}.spec`;
const inPod = (parts: string): string =>
  `Object{spec: Object.spec{template: ${TEMPLATE}{spec: ${POD}{${parts}}}}}`;
/** A container of the name of one that may be there. */
const inMain = (parts: string): string =>
  inPod(`containers: [${POD}.containers{name: 'main', ${parts}}]`);
const ENV = `${POD}.containers.env`;

const APPLIED: readonly [string, ...string[]] = [
  `Object{metadata: Object.metadata{labels: {'made': 'so'}}}`,
  `Object{metadata: Object.metadata{labels: Object.metadata.labels{tier: 'other'}}}`,
  `Object{metadata: Object.metadata{annotations: {'by': request.userInfo.username}}}`,
  `Object{spec: Object.spec{replicas: 3}}`,
  `Object{spec: Object.spec{replicas: object.spec.replicas + 1}}`,
  `Object{spec: Object.spec{paused: object.spec.replicas > 2}}`,
  `Object{data: {'a': 'changed', 'more': string(size(object.data))}}`,
  `Object{data: object.data}`,
  inPod(`containers: [${POD}.containers{name: 'sidecar', image: 'registry/side'}]`),
  inPod(
    `containers: object.spec.template.spec.containers.map(c, ` +
      `${POD}.containers{name: c.name, imagePullPolicy: 'Always'})`,
  ),
  inMain(`env: [${ENV}{name: 'A', value: 'new'}, ${ENV}{name: 'Z', value: 'z'}]`),
  inMain(`ports: [${POD}.containers.ports{containerPort: 80, protocol: 'TCP', name: 'web'}]`),
  inPod(
    `initContainers: [${POD}.initContainers{name: 'mesh', image: 'm', restartPolicy: 'Always'}]`,
  ),
  inPod(`volumes: [${POD}.volumes{name: 'v', emptyDir: ${POD}.volumes.emptyDir{}}]`),
  inPod(`securityContext: ${POD}.securityContext{runAsNonRoot: true}`),
  inPod(`terminationGracePeriodSeconds: 5, dnsPolicy: 'Default'`),
  inPod(`containers: [${POD}.containers{image: 'nameless'}]`),
  inPod(`containers: ['a', 'b'].map(i, ${POD}.containers{name: 'x', image: i})`),
  inMain(`resources: ${POD}.containers.resources{limits: {'cpu': '1', 'memory': '2Gi'}}`),
  // Refused.
  inPod(`tolerations: [${POD}.tolerations{key: 'k', operator: 'Exists'}]`),
  inPod(`nodeSelector: {'a': 'b'}`),
  inPod(`unknown: 1`),
  inPod(`hostNetwork: 'yes'`),
  inPod(`containers: ${POD}.containers{name: 'x'}`),
  `Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}`,
  `Object{spec: Object.spec{template: Object.spec.wrong{}}}`,
  `Object{metadata: Object.spec{labels: {'a': 'b'}}}`,
  `Object{nothing: 'here'}`,
  `Object{spec: Object.spec{replicas: 'many'}}`,
  `Object{spec: Object.spec{replicas: int(object.data['n'])}}`,
  `Object{metadata: Object.metadata{finalizers: ['example.com/keep']}}`,
  `Object{metadata: Object.metadata{name: 'other'}}`,
  `object.metadata.name == 'abc' ? Object{} : Object{data: {'x': 'y'}}`,
  `Object{}`,
  `Object{immutable: true}`,
  `Object{?immutable: object.?immutable}`,
  `Object{metadata: Object.metadata{?labels: optional.of({'o': 'p'})}}`,
  `Object{binaryData: {'b': 'aGVsbG8='}}`,
];

/** An operation of a JSON patch. */
function op(name: string, path: string, more = ''): string {
  return `JSONPatch{op: '${name}', path: '${path}'${more === '' ? '' : `, ${more}`}}`;
}
const add = (path: string, value: string): string => `[${op('add', path, `value: ${value}`)}]`;
const IN_POD = '/spec/template/spec';
const KEY = `'/metadata/labels/' + jsonpatch.escapeKey('example.com/a~b')`;

const PATCHES: readonly [string, ...string[]] = [
  add('/metadata/labels', `{'made': 'so'}`),
  add('/metadata/labels/tier', `'other'`),
  `[JSONPatch{op: 'add', path: ${KEY}, value: 'x'}]`,
  `[${op('test', '/spec/replicas', 'value: 3')}, ${op('replace', '/spec/replicas', 'value: 4')}]`,
  `[${op('replace', '/spec/replicas', 'value: object.spec.replicas * 2')}]`,
  `[${op('replace', '/spec/replicas', `value: 'many'`)}]`,
  `[${op('remove', '/spec/replicas')}]`,
  `[${op('remove', '/data/a')}]`,
  `[${op('move', '/data/moved', `from: '/data/a'`)}]`,
  `[${op('copy', '/data/copied', `from: '/data/a'`)}]`,
  add(`${IN_POD}/containers/-`, `${POD}.containers{name: 'side', image: 'x'}`),
  add(`${IN_POD}/containers/0/env`, `[{'name': 'A', 'value': 'b'}]`),
  add(`${IN_POD}/tolerations`, `[${POD}.tolerations{key: 'k', operator: 'Exists'}]`),
  add(`${IN_POD}/nodeSelector`, `{'a': 'b'}`),
  add('/spec/unknown', '1'),
  add('/unknown', `{'a': 1}`),
  add('data/x', `'y'`),
  `[${op('jump', '/data/x')}]`,
  `[JSONPatch{path: '/data/x', value: 'y'}]`,
  `[${op('add', '/data/x')}]`,
  add('/metadata/annotations', `{'n': string(1.5), 'd': string(duration('90s'))}`),
  add('/data', `{'i': 1}`),
  add('/spec', 'Object.spec{replicas: 1}'),
  add('/spec', 'Object.spec{template: Object.wrong{}}'),
  `has(object.data) ? ${add('/data/c', `'d'`)} : []`,
  `object.metadata.labels.map(k, ` +
    `JSONPatch{op: 'replace', path: '/metadata/labels/' + k, value: k + 'x'})`,
  `[${op('replace', '/kind', `value: 'Unknown'`)}]`,
  add('/metadata/finalizers', `['example.com/keep']`),
  `[${op('test', '/data/none', `value: 'x'`)}]`,
  `[]`,
];

/** A condition, or two or three that are joined. */
function condition(random: Random): string {
  const one = (): string => random.pick(CONDITIONS);
  switch (random.below(6)) {
    case 0:
      return `${one()} && ${one()}`;
    case 1:
      return `${one()} || ${one()}`;
    case 2:
      return `!(${one()})`;
    case 3:
      return `${one()} ? ${one()} : ${one()}`;
    case 4:
      return random.pick(OF_VARIABLES);
    default:
      return one();
  }
}

const maybe = <T>(random: Random, of: number, make: () => T): readonly T[] =>
  random.below(of) === 0 ? [make()] : [];

export function policyCase(random: Random): PolicyCase {
  const sort = random.below(2) === 0 ? 'validating' : 'mutating';
  const hasParams = random.below(4) === 0;
  const spec = {
    failurePolicy: random.below(4) === 0 ? 'Ignore' : 'Fail',
    variables: VARIABLES,
    matchConditions: maybe(random, 4, () => ({
      name: 'c',
      expression: random.pick(CONDITIONS),
    })),
    ...(hasParams && { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
    ...(sort === 'validating' ? validations(random) : mutations(random)),
  };
  const paramRef = {
    ...(random.below(2) === 0
      ? { name: 'params' }
      : { selector: { matchLabels: { is: 'param' } } }),
    parameterNotFoundAction: random.pick(['Allow', 'Deny']),
  };
  const binding = {
    ...(sort === 'validating' && {
      validationActions: random.pick([['Deny'], ['Deny'], ['Warn'], ['Warn', 'Audit']]),
    }),
    ...(hasParams && { paramRef }),
  };
  return { sort, spec, binding };
}

function validations(random: Random): object {
  const validation = (): object => ({
    expression: condition(random),
    ...(random.below(2) === 0 && { message: 'it must not be' }),
    ...(random.below(3) === 0 && { messageExpression: random.pick(MESSAGES) }),
    ...(random.below(4) === 0 && { reason: random.pick(['Forbidden', 'Unauthorized', 'Invalid']) }),
  });
  const count = 1 + random.below(3);
  return { validations: Array.from({ length: count }, validation) };
}

function mutations(random: Random): object {
  const mutation = (): object =>
    random.below(2) === 0
      ? {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: random.pick(APPLIED) },
        }
      : { patchType: 'JSONPatch', jsonPatch: { expression: random.pick(PATCHES) } };
  const count = 1 + random.below(2);
  return {
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    mutations: Array.from({ length: count }, mutation),
  };
}

/** An object that a policy is for, of the kinds that `HELD` names. */
export interface HeldObject {
  readonly kind: 'ConfigMap' | 'Deployment';
  readonly document: object;
}

const NAMES: readonly [string, ...string[]] = ['abc', 'a', 'web', 'x-long-name'];

export function heldObject(random: Random, labels: Readonly<Record<string, string>>): HeldObject {
  const metadata = {
    name: random.pick(NAMES),
    labels: { ...labels, ...(random.below(2) === 0 && { tier: random.pick(['web', 'db']) }) },
    ...(random.below(3) === 0 && { annotations: { note: 'x' } }),
  };
  if (random.below(2) === 0) {
    const data = {
      ...(random.below(3) > 0 && { a: random.pick(['b', 'UPPER', '']) }),
      ...(random.below(2) === 0 && { n: random.pick(['2', '3', 'two']) }),
      ...(random.below(3) === 0 && { q: random.pick(['5', '500m', 'none']) }),
    };
    return {
      kind: 'ConfigMap',
      document: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        ...(random.below(5) > 0 && { data }),
        ...(random.below(6) === 0 && { immutable: false }),
      },
    };
  }
  return { kind: 'Deployment', document: deployment(random, metadata) };
}

function deployment(random: Random, metadata: object): object {
  const container = (name: string): object => ({
    name,
    image: random.pick(['registry/a:1', 'plain', 'registry/b']),
    ...(random.below(2) === 0 && {
      env: [
        { name: 'A', value: 'old' },
        { name: 'B', value: 'b' },
        ...maybe(random, 3, () => ({ name: 'A', value: 'twice' })),
      ],
    }),
    ...(random.below(3) === 0 && {
      ports: [{ containerPort: 80 }, { containerPort: 81, name: 'x' }],
    }),
  });
  const containers = [
    'main',
    ...maybe(random, 2, () => 'sidecar'),
    ...maybe(random, 3, () => 'log'),
  ];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      ...(random.below(3) > 0 && { replicas: random.below(7) }),
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: {
          containers: containers.map(container),
          ...(random.below(3) === 0 && { tolerations: [{ key: 'a', operator: 'Exists' }] }),
          ...(random.below(4) === 0 && { volumes: [{ name: 'v', emptyDir: {} }] }),
        },
      },
    },
  };
}
