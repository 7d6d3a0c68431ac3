/** The command line client, which kept what it applied in an annotation before. */
import t from 'tap';
import type { Test } from 'tap';
import { LAST_APPLIED, withLastApplied } from '../../src/semantics/fields/last-applied.ts';
import { model } from '../codec/proto-model.ts';
import { kindSchema, parseObject, scenarios } from '../support/apply-scenario.ts';
import type { Schema } from '../support/apply-scenario.ts';

const DEPLOYMENT = kindSchema(model, 'apps.v1.Deployment', 'apps/v1');
const SERVICE = kindSchema(model, 'core.v1.Service', 'v1');
const POD = kindSchema(model, 'core.v1.Pod', 'v1');
const CONTROLLER = kindSchema(model, 'core.v1.ReplicationController', 'v1');

interface Row {
  readonly name: string;
  readonly live: string;
  /** The text of the annotation; that of the live object when absent. */
  readonly annotation?: string;
  readonly config: string;
  /** The error when the client changes it, and when others do. */
  readonly client?: string;
  readonly other?: string;
}

/** The client applies to an object that it has made itself, and so does somebody else. */
function applies(t: Test, schema: Schema, rows: readonly Row[]): void {
  const [version = ''] = schema.versions;
  for (const { name, live, annotation, config, client = '', other = '' } of rows) {
    const head = `apiVersion: ${version}, kind: Thing, `;
    const object = parseObject(`{${head}${live.slice(1)}`) as {
      metadata: { annotations?: Record<string, string> };
    };
    const text = annotation ?? JSON.stringify(object);
    object.metadata.annotations = { [LAST_APPLIED]: text.replace('HEAD, ', head) };
    const script = (manager: string, paths: string): string => `
      update before  ${JSON.stringify(object)}
      apply ${manager} {${head}${config.slice(1)}
      ${paths === '' ? '' : `conflict updated before ${paths}`}
      force ${manager} {${head}${config.slice(1)}`;
    scenarios(t, schema, {
      [`${name}: the client`]: script('client', client),
      [`${name}: somebody else`]: script('other', other),
    });
  }
}

interface Deployment {
  readonly label: string;
  readonly replicas: number;
  readonly app: string;
  readonly image: string;
  readonly more?: string;
}

function deployment({ label, replicas, app, image, more = '' }: Deployment): string {
  const labels = label === '' ? '' : `, labels: {app: ${label}}`;
  const selector = app === '' ? '' : `selector: {matchLabels: {app: ${app}}}, `;
  const template = app === '' ? 'a' : app;
  return `{metadata: {name: d${labels}}, spec: {replicas: ${replicas}, ${selector}
    template: {metadata: {labels: {app: ${template}}}, spec: {containers: [
    {name: c, image: ${image}}${more}]}}}}`.replaceAll(/\s+/g, ' ');
}

const IMAGE = '.spec.template.spec.containers[name=c].image';
const LABEL = '.spec.template.metadata.labels.app';
const NEW = { label: 'b', replicas: 333, app: 'b', image: 'new' };
const OLD = { label: 'a', replicas: 100, app: 'a', image: 'old' };
const ALL = `.metadata.labels.app .spec{.replicas,.selector} ${LABEL} ${IMAGE}`;

/** The annotation as the client writes it. */
function annotationOf(live: string, version = 'apps/v1'): string {
  const head = { apiVersion: version, kind: 'Thing' };
  return JSON.stringify({ ...head, ...parseObject(live) });
}

t.test('deployments', async (t) => {
  applies(t, DEPLOYMENT, [
    {
      name: 'only what the annotation has as it is now is the client’s',
      live: deployment({ ...OLD, image: 'two' }),
      annotation: annotationOf(
        deployment({ ...OLD, label: '', replicas: 3, more: ', {name: gone, image: x}' }),
      ),
      config: deployment(NEW),
      client: `.metadata.labels.app .spec.replicas ${IMAGE}`,
      other: ALL,
    },
    {
      name: 'one value that somebody else has changed',
      live: deployment(OLD),
      annotation: annotationOf(deployment({ ...OLD, replicas: 3 })),
      config: deployment({ ...OLD, label: 'b', replicas: 3, app: '' }),
      client: '.spec.replicas',
      other: '.metadata.labels.app .spec.replicas',
    },
    { name: 'nothing changes', live: deployment(OLD), config: deployment(OLD) },
    { name: 'all changes', live: deployment(OLD), config: deployment(NEW), other: ALL },
    {
      name: 'an annotation in another version',
      live: deployment(OLD),
      annotation: annotationOf(deployment(OLD), 'extensions/v1beta1'),
      config: deployment({ ...OLD, replicas: 1 }),
      client: '.spec.replicas',
      other: '.spec.replicas',
    },
    ...['invalid', '{"apiVerison":"foo","spec":"x"}', '', '[]', 'null', '{"apiVersion":"apps/v1"}']
      .concat('{"apiVersion":"apps/v1","kind":"Thing","spec":{"other":1}}')
      .map((annotation) => ({
        name: `an annotation ${annotation}`,
        live: deployment(OLD),
        annotation,
        config: deployment({ ...OLD, replicas: 1 }),
        client: '.spec.replicas',
        other: '.spec.replicas',
      })),
  ]);
});

t.test('other kinds', async (t) => {
  const service = (port: number, selector: string): string =>
    `{metadata: {name: s}, spec: {selector: ${selector}, ports: [
    {name: https, port: 443, protocol: TCP, targetPort: ${port}}]}}`.replaceAll(/\s+/g, ' ');
  const target = '.spec.ports[port=443,protocol=TCP].targetPort';
  applies(t, SERVICE, [
    {
      name: 'a service',
      live: service(8443, '{old: x}'),
      config: service(8444, '{new: x}'),
      other: `.spec.selector ${target}`,
    },
    {
      name: 'a service without a selector',
      live: service(8443, '{old: x}'),
      config: service(8444, '{}'),
      other: `.spec.selector ${target}`,
    },
  ]);
  applies(t, CONTROLLER, [
    {
      name: 'a replication controller',
      live: '{metadata: {name: r}, spec: {replicas: 0, selector: {old: x}}}',
      config: '{metadata: {name: r}, spec: {replicas: 3, selector: {new: x}}}',
      other: '.spec{.replicas,.selector}',
    },
  ]);
  const pod = (node: string, selector: string): string =>
    `{metadata: {name: p}, spec: {${node} nodeSelector: ${selector}, containers: [
    {name: c, image: i, args: [-v=2], command: [x]}]}}`.replaceAll(/\s+/g, ' ');
  applies(t, POD, [
    {
      name: 'a pod with one more label to select by',
      live: pod('nodeName: a,', '{one: ""}'),
      config: pod('nodeName: a,', '{one: "", two: ""}'),
      other: '.spec.nodeSelector',
    },
    {
      name: 'a pod with another label to select by',
      live: pod('nodeName: a,', '{one: ""}'),
      config: pod('', '{two: ""}'),
      other: '.spec.nodeSelector',
    },
    {
      name: 'a pod with nothing to select by, elsewhere',
      live: pod('nodeName: a,', '{one: ""}'),
      config: pod('nodeName: b,', '{}'),
      other: '.spec{.nodeName,.nodeSelector}',
    },
  ]);
});

t.test('the annotation', async (t) => {
  const head = '"apiVersion": "apps/v1", "kind": "Deployment"';
  const annotated = (text: string, more: string): string => {
    const annotations = `"annotations": {"${LAST_APPLIED}": ${JSON.stringify(text)}}`;
    return `{${head}, "metadata": {"name": "d", ${annotations}}${more}}`;
  };
  const config = `{"spec": {"replicas": 2}, "metadata": {"name": "d"}, ${head}}`;
  const written =
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":2}}\n';
  const spec = ', "spec": {"replicas": 2}';
  scenarios(t, DEPLOYMENT, {
    'is kept up to date by the client': `
      apply other  ${annotated('old', spec)}
      is           ${annotated('old', spec)}
      apply client ${config}
      is           ${annotated(written, spec)}`,
    'and nobody else': `
      apply other  ${annotated('old', '')}
      apply ann    ${config}
      is           ${annotated('old', spec)}`,
    'is not made where there is none': `
      apply client ${config}
      is           ${config}`,
  });
});

t.test('an annotation that would be too large goes', async (t) => {
  const document = parseObject(`{metadata: {annotations: {${LAST_APPLIED}: old, a: b}}}`);
  const text = 'x'.repeat(300_000);
  t.same(withLastApplied(document, { spec: text }), { metadata: { annotations: { a: 'b' } } });
  const half = 'x'.repeat(140_000);
  const large = { metadata: { annotations: { [LAST_APPLIED]: 'old', a: half } } };
  t.same(withLastApplied(large, { spec: half }), { metadata: { annotations: { a: half } } });
  const kept = withLastApplied(document, { spec: half }) as typeof large;
  t.equal(kept.metadata.annotations[LAST_APPLIED], `{"spec":"${half}"}\n`);
});

t.test('an annotation in the configuration is not part of itself', async (t) => {
  const document = parseObject(`{metadata: {annotations: {${LAST_APPLIED}: old}}}`);
  const config = parseObject(`{metadata: {annotations: {${LAST_APPLIED}: new, a: b}}}`);
  const after = '{"metadata":{"annotations":{"a":"b"}}}\n';
  t.same(withLastApplied(document, config), {
    metadata: { annotations: { [LAST_APPLIED]: after } },
  });
  t.same(config, parseObject(`{metadata: {annotations: {${LAST_APPLIED}: new, a: b}}}`));
});
