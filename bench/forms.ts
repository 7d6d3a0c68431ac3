/**
 * Measures an item of a list and an event of a watch in each form, without store and hops: stored
 * bytes of a pod in, bytes of a page out. Nothing is kept of what was made before. And what reading
 * a body costs.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { RANDOMNESS } from '../src/base/randomness.ts';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import { builtInType } from '../src/types/built-in/built-in-type.ts';
import type { ApiObject } from '../src/resources/kind.ts';
import { prepareCreate, proposeCreate } from '../src/types/prepare-object.ts';
import { POD } from '../src/resources/core/pods/pod.ts';
import type { Form } from '../src/semantics/options/answer-form.ts';
import { compileValidators } from '../src/semantics/validation/validator-compiler.ts';
import { PAGE_BYTES_TARGET } from '../src/limits.ts';
import { decodeBody } from '../src/proposals/decode-body.ts';
import { PageBuffer } from '../src/shard/state/page-buffer.ts';
import { Representations } from '../src/shard/representation/representations.ts';
import { readProtoFolder } from '../tools/read-proto.ts';
import { measure, microOptions, report } from './micro.ts';
import { CONTENT_MARK, COUNTER_DIGITS, NAME_MARK, OBJECT_TEXTS } from './object-texts.ts';
import type { ResultRow } from './report.ts';
import { protobufBody } from './representation-bodies.ts';

const FORMS: Readonly<Record<string, Form>> = {
  JSON: { encoding: 'json' },
  'metadata in JSON': { encoding: 'json', as: 'PartialObjectMetadata' },
  Table: { encoding: 'json', as: 'Table' },
  'Table without objects': { encoding: 'json', as: 'Table', includeObject: 'None' },
  'Table of whole objects': { encoding: 'json', as: 'Table', includeObject: 'Object' },
  protobuf: { encoding: 'protobuf' },
  'metadata in protobuf': { encoding: 'protobuf', as: 'PartialObjectMetadata' },
};
const PODS = 1_000;
const NOW_MS = Date.parse('2024-03-01T00:00:00Z');
/** Not a version: nothing is kept under it. */
const NO_VERSION = 0;

const options = microOptions();
const model = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../proto')));
const kind = builtInType(POD, model, compileValidators(model, [POD.message]));

/** A running pod as it is stored: one of many of a workload. */
function storedPod(_: unknown, at: number): Uint8Array {
  const number = String(at).padStart(COUNTER_DIGITS, '0');
  const id = createHash('sha256').update(number).digest('hex');
  const text = OBJECT_TEXTS.pod
    .text('default', 0)
    .replaceAll(NAME_MARK, number)
    .replaceAll(CONTENT_MARK, '0000000002');
  const pod = kind.stored.codec.decode(text).object as ApiObject;
  proposeCreate(kind, pod);
  const uid = `11111111-2222-3333-4444-${id.slice(0, 12)}`;
  prepareCreate(kind, pod, { uid, creationTimestamp: '2024-01-01T00:00:00Z', random: RANDOMNESS });
  const podIP = `10.1.${at >> 8}.${at & 0xff}`;
  const state = { running: { startedAt: '2024-01-01T00:00:10Z' } };
  const started = (name: string): object => ({
    name,
    state,
    lastState: {},
    ready: true,
    restartCount: 1,
    image: `registry.example.com/team/${name}:1.4.2`,
    imageID: `registry.example.com/team/${name}@sha256:${'0123456789abcdef'.repeat(4)}`,
    containerID: `containerd://${id}`,
  });
  pod['status'] = {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: '2024-01-01T00:00:10Z',
    })),
    hostIP: '10.0.0.1',
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: '2024-01-01T00:00:00Z',
    containerStatuses: [started('app'), started('sidecar')],
    qosClass: 'Burstable',
  };
  return Buffer.from(kind.stored.codec.encode(pod));
}

const wires = Array.from({ length: PODS }, storedPod);
let nextWire = 0;

function nextPod(): Uint8Array {
  nextWire = (nextWire + 1) % PODS;
  return wires[nextWire] ?? new Uint8Array();
}

const page = new PageBuffer();

function itemRow([name, form]: [string, Form]): ResultRow {
  const { list } = new Representations(kind, () => NOW_MS).of({ form });
  return measure(`a pod of ${nextPod().length} bytes in a list: ${name}`, options, () => {
    if (page.length >= PAGE_BYTES_TARGET) page.clear();
    list.addItem(page, NO_VERSION, nextPod, false);
  });
}

/** Measures what a change costs once for all watches of a form. */
function eventRow([name, form]: [string, Form]): ResultRow {
  const representation = new Representations(kind, () => NOW_MS).of({ form });
  return measure(`an event of it for watches: ${name}`, options, () => {
    if (page.length >= PAGE_BYTES_TARGET) page.clear();
    for (const part of representation.event('MODIFIED', nextPod(), NO_VERSION)) page.add(part);
  });
}

const BODIES = {
  json: Buffer.from(OBJECT_TEXTS.newPod.text('default', 0)),
  protobuf: Buffer.from(protobufBody('newPod', 'default', 0)),
};

/** Bodies of pods that a controller creates of one template. */
function bodyRow(
  format: keyof typeof BODIES,
  fieldValidation: 'Ignore' | 'Warn' = 'Ignore',
): ResultRow {
  const template = BODIES[format].toString('latin1');
  const bodies = Array.from({ length: 1_000 }, (_, at) => {
    const name = String(at).padStart(COUNTER_DIGITS, '0');
    return Buffer.from(template.replaceAll(NAME_MARK, name), 'latin1');
  });
  let next = 0;
  const checked = fieldValidation === 'Ignore' ? '' : ', checked strictly';
  const what = `the body of a create of ${template.length} bytes: ${format}${checked}`;
  return measure(what, options, () => {
    const body = bodies[next % bodies.length] ?? new Uint8Array();
    decodeBody(kind.stored, body, { format, fieldValidation });
    next += 1;
  });
}

const forms = Object.entries(FORMS);
const bodies = [bodyRow('json'), bodyRow('json', 'Warn'), bodyRow('protobuf')];
report('forms', options, [...forms.map(itemRow), ...forms.map(eventRow), ...bodies]);
