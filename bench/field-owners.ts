/**
 * Measures field owners and patches, without store and hops: the parts of what `npm run bench --
 * --only patch,apply` asks of a shard, for the Deployment of three managers that is written there.
 */
import { join } from 'node:path';
import { RANDOMNESS } from '../src/base/randomness.ts';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import type { Members } from '../src/codec/model/schema-model.ts';
import { DEPLOYMENT } from '../src/resources/apps/deployment.ts';
import { POD } from '../src/resources/core/pods/pod.ts';
import { versionConverter } from '../src/types/field-owners.ts';
import { builtInType } from '../src/types/built-in/built-in-type.ts';
import type { ResourceType } from '../src/types/resource-type.ts';
import type { ApiObject, BuiltInKind } from '../src/resources/kind.ts';
import { prepareCreate, proposeCreate } from '../src/types/prepare-object.ts';
import { applyConfig, type Applied } from '../src/semantics/fields/apply.ts';
import { compareFields, type Comparison } from '../src/semantics/fields/compare-fields.ts';
import {
  formatManagedFields,
  parseManagedFields,
  type ManagedEntry,
} from '../src/semantics/fields/managed-fields.ts';
import { trackUpdate, type Writer } from '../src/semantics/fields/track-update.ts';
import { documentText, parseDocument } from '../src/semantics/patch/document.ts';
import { applyJsonPatch, parseJsonPatch } from '../src/semantics/patch/json-patch.ts';
import { applyMergePatch, parseMergePatch } from '../src/semantics/patch/merge-patch.ts';
import { applyStrategicPatch } from '../src/semantics/patch/strategic-patch.ts';
import { compileValidators } from '../src/semantics/validation/validator-compiler.ts';
import { readProtoFolder } from '../tools/read-proto.ts';
import { expectEqual } from './bench.ts';
import { measure, microOptions, report } from './micro.ts';
import { CONTENT_MARK, COUNTER_DIGITS, NAME_MARK, OBJECT_TEXTS } from './object-texts.ts';
import {
  APPLIED_VARIABLE,
  APPLIER,
  applyDeployment,
  applyReplicas,
  AUTOSCALER,
  CONTROLLER,
  DEPLOYMENT_STATUS,
  type PatchText,
} from './patch-texts.ts';
import type { ResultRow } from './report.ts';

const options = microOptions();
const model = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../proto')));
const NAME = '7'.padStart(COUNTER_DIGITS, '0');
const FIRST = '1'.padStart(COUNTER_DIGITS, '0');
const SECOND = '2'.padStart(COUNTER_DIGITS, '0');
const NEW = {
  uid: '11111111-2222-3333-4444-555555555555',
  creationTimestamp: '2024-01-01T00:00:00Z',
  random: RANDOMNESS,
};

function runtimeOf(definition: BuiltInKind): ResourceType {
  return builtInType(definition, model, compileValidators(model, [definition.message]));
}

const pods = runtimeOf(POD);
const deployments = runtimeOf(DEPLOYMENT);
const { stored } = deployments;

/** A prepared pod, decoded anew, as bodies are: two of them share nothing. */
function podOf(content: string): ApiObject {
  const { text } = OBJECT_TEXTS.pod;
  const body = text('default', 0).replaceAll(NAME_MARK, NAME).replaceAll(CONTENT_MARK, content);
  const pod = pods.stored.codec.decode(body).object as ApiObject;
  proposeCreate(pods, pod);
  prepareCreate(pods, pod, NEW);
  delete pod.metadata.managedFields;
  return pod;
}

function writer(manager: string, subresource = ''): Writer {
  return { manager, apiVersion: stored.groupVersion, subresource, time: '2024-01-01T00:00:01Z' };
}

const versions = versionConverter(deployments);

function apply(
  live: Members | undefined,
  entries: readonly ManagedEntry[],
  manager: string,
  config: Members,
): Applied {
  const ownable = deployments.ownable('');
  const { emptyDocument: emptyObject } = stored;
  const input = { live, config, entries, writer: writer(manager), force: true, versions, ownable };
  return applyConfig({ ...input, emptyObject });
}

function configOf({ body }: PatchText): Members {
  return parseDocument(body.replaceAll(NAME_MARK, NAME)) as Members;
}

/** The document as a write leaves it: with defaults, and without the list of its owners. */
function writtenText(document: Members, status?: unknown): string {
  const { object } = stored.decodeDocument(document, () => documentText(document));
  proposeCreate(deployments, object as ApiObject);
  prepareCreate(deployments, object as ApiObject, NEW);
  if (status !== undefined) Object.assign(object, { status });
  return stored.documentText(stored.codec.encode(object));
}

function decoded(text: string): ApiObject {
  return stored.codec.decode(text).object as ApiObject;
}

/** As the three managers leave it, one after the other. */
function fillDeployment(): { text: string; entries: readonly ManagedEntry[] } {
  const created = apply(undefined, [], APPLIER, configOf(applyDeployment(FIRST)));
  const live = parseDocument(writtenText(created.document)) as Members;
  const scaled = apply(live, created.entries, AUTOSCALER, configOf(applyReplicas(FIRST)));
  const before = writtenText(scaled.document);
  const { status } = JSON.parse(DEPLOYMENT_STATUS.body) as { status: unknown };
  const text = writtenText(scaled.document, status);
  const comparison = compareFields(stored.fieldTypes, decoded(before), decoded(text));
  const controller = writer(CONTROLLER, 'status');
  const ownable = deployments.ownable('status');
  return { text, entries: trackUpdate(scaled.entries, controller, () => comparison, ownable) };
}

const deployment = fillDeployment();
const { text } = deployment;
const owners = formatManagedFields(deployment.entries);
const entries = parseManagedFields(owners);
const live = parseDocument(text) as Members;
const changedText = text.replace(`"value":"${FIRST}"`, `"value":"${SECOND}"`);

function comparisonRows(): ResultRow[] {
  const { fieldTypes, empty } = pods.stored;
  const [before, after] = [podOf(FIRST), podOf(SECOND)];
  const { changed } = compareFields(fieldTypes, before, after);
  expectEqual(changed.elements.length, 1, 'changed fields of the pod');
  const shown = `pod of ${pods.stored.codec.encode(after).length} bytes`;
  return [
    measure(`compare a new ${shown}`, options, () => compareFields(fieldTypes, empty, after)),
    measure(`compare one field of a ${shown}`, options, () =>
      compareFields(fieldTypes, before, after),
    ),
    measure(`owners of a new ${shown}, as text`, options, () => {
      const all = (): Comparison => compareFields(fieldTypes, empty, after);
      formatManagedFields(trackUpdate([], writer('creator'), all, pods.ownable('')));
    }),
  ];
}

/** An update that takes one field from another manager. */
function trackingRows(): ResultRow[] {
  const { fieldTypes } = stored;
  const ownable = deployments.ownable('');
  const [before, after] = [decoded(text), decoded(changedText)];
  const by = writer('editor');
  const comparison = compareFields(fieldTypes, before, after);
  const track = (): readonly ManagedEntry[] => trackUpdate(entries, by, () => comparison, ownable);
  const tracked = track();
  expectEqual(tracked.length, 4, 'owners after an update');
  const shown = `${entries.length} owners, ${owners.length} bytes`;
  const deploymentBytes = `deployment of ${text.length} bytes`;
  return [
    measure(`compare one field of a ${deploymentBytes}`, options, () =>
      compareFields(fieldTypes, before, after),
    ),
    measure(`track an update, ${shown}`, options, track),
    measure(`parse ${shown}`, options, () => parseManagedFields(owners)),
    // A write changes one of them: the texts of the others are known from parsing.
    measure(`text of ${shown}, two changed`, options, () => formatManagedFields(tracked)),
    measure(`parse ${shown}, and their text`, options, () =>
      formatManagedFields(parseManagedFields(owners)),
    ),
    measure(`text of ${shown}, all new`, options, () => formatManagedFields(deployment.entries)),
  ];
}

function applyRows(): ResultRow[] {
  const same = configOf(applyDeployment(FIRST));
  const changed = configOf(applyDeployment(SECOND));
  const scaled = configOf(applyReplicas(SECOND));
  const applied = (manager: string, config: Members) => (): Applied =>
    apply(live, entries, manager, config);
  if (applied(APPLIER, same)().document !== live) throw new Error('the same config is a change');
  for (const [manager, config] of [
    [APPLIER, changed],
    [AUTOSCALER, scaled],
  ] as const) {
    const after = applied(manager, config)();
    expectEqual(after.entries.length, 3, 'owners after an apply');
    const before = text.split(SECOND).length;
    expectEqual(documentText(after.document).split(SECOND).length, before + 1, 'changed values');
  }
  const shown = `deployment of ${text.length} bytes, ${entries.length} owners`;
  return [
    // The one that changes nothing comes last: the first one pays for compiling.
    measure(`apply one change, ${shown}`, options, applied(APPLIER, changed)),
    measure(`apply two fields, ${shown}`, options, applied(AUTOSCALER, scaled)),
    measure(`apply the same, ${shown}`, options, applied(APPLIER, same)),
  ];
}

/** Patches change the document that they are given, so that each one is parsed first. */
function patchRows(): ResultRow[] {
  const parse = (): Members => parseDocument(text) as Members;
  const env = [{ name: APPLIED_VARIABLE, value: SECOND }];
  const containers = [{ name: 'app', env }];
  const strategic = JSON.stringify({ spec: { template: { spec: { containers } } } });
  const annotations = { 'autoscaler.example.com/decision': SECOND };
  const merge = JSON.stringify({ metadata: { annotations } });
  const path = '/spec/template/spec/containers/0/env/1/value';
  const json = JSON.stringify([{ op: 'replace', path, value: SECOND }]);
  const patches = {
    'merge patch': () => applyMergePatch(parse(), parseMergePatch(merge)),
    'strategic merge patch': () =>
      applyStrategicPatch(stored.strategicPlan!, parse(), parseMergePatch(strategic)),
    'JSON patch': () => applyJsonPatch(parse(), parseJsonPatch(json)),
  };
  const shown = `document of ${text.length} bytes`;
  const rows = [measure(`parse a ${shown}`, options, parse)];
  for (const [name, patched] of Object.entries(patches)) {
    const values = documentText(patched()).split(SECOND).length - text.split(SECOND).length;
    expectEqual(values, 1, `changed values after a ${name}`);
    rows.push(measure(`parse and ${name} a ${shown}`, options, patched));
  }
  return rows;
}

report('field-owners', options, [
  ...comparisonRows(),
  ...trackingRows(),
  ...applyRows(),
  ...patchRows(),
]);
