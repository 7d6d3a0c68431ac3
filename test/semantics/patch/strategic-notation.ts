/**
 * Scenarios of strategic merge patch in short. Documents are flow YAML, in which an item of a keyed
 * list may be a word: `+a` is `{name: a}`, `+a=x` is `{name: a, value: x}`, `-a` is that item with
 * `$patch: delete`, `-*` is `$patch: replace`. A refusal is its code and its text.
 */
import { parse } from 'yaml';
import { loadSchemaModel } from '../../../src/codec/model/proto-schema.ts';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { setMember } from '../../../src/base/set-member.ts';
import { cloneDocument, isMembers } from '../../../src/semantics/patch/document.ts';
import { PatchError } from '../../../src/semantics/patch/patch-error.ts';
import { applyStrategicPatch } from '../../../src/semantics/patch/strategic-patch.ts';
import { compileStrategicPlan } from '../../../src/semantics/patch/strategic-plan.ts';
import type { StrategicPlan } from '../../../src/semantics/patch/strategic-plan.ts';
import { deepText } from '../../support/deep-text.ts';

export type Scenario = readonly [what: string, document: string, patch: string, result: string];

const META = 'syntax = "proto2"; package meta.v1; message RawExtension { optional bytes raw = 1; }';

const DEMO = `syntax = "proto2";
package demo.v1;
message Thing {
  optional string name = 1;
  optional string value = 2;
  optional string other = 3;
  repeated Thing things = 4 [(patch_strategy) = "merge", (merge_key) = "name"];
  repeated Thing plainThings = 5;
  repeated int32 numbers = 6 [(patch_strategy) = "merge"];
  repeated int32 plainNumbers = 7;
  map<string, string> labels = 8;
  map<string, Thing> parts = 9;
  optional Thing inner = 10 [(presence) = true];
  optional Thing whole = 11 [(always) = true, (patch_strategy) = "replace"];
  optional meta.v1.RawExtension raw = 12;
  optional Thing union = 13 [(patch_strategy) = "retainKeys"];
  repeated Thing unions = 14 [
    (patch_strategy) = "merge",
    (patch_strategy) = "retainKeys",
    (merge_key) = "name"
  ];
  optional Source source = 15 [(inline) = true];
  repeated Port ports = 16 [(patch_strategy) = "merge", (merge_key) = "port"];
  repeated Thing keyless = 17 [(patch_strategy) = "merge"];
  map<string, bytes> data = 18;
}
message Source {
  optional Thing volume = 1;
  repeated Thing inlined = 2 [(patch_strategy) = "merge", (merge_key) = "name"];
}
message Port {
  optional int64 port = 1;
  optional string name = 2;
}`;

export const demoModel = loadSchemaModel({ 'meta/v1.proto': META, 'demo/v1.proto': DEMO });
export const demoPlan = compileStrategicPlan(demoModel, 'demo.v1.Thing');

const ITEM = /^([-+])(\*|[A-Za-z]\w*)(?:=(\w+))?$/;

/** The document that the text stands for. */
export function read(text: string): Members {
  return expanded(parse(text)) as Members;
}

function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => itemOf(expanded(item)));
  if (!isMembers(value)) return value;
  const members: Members = {};
  for (const key of Object.keys(value)) setMember(members, key, expanded(value[key]));
  return members;
}

function itemOf(item: unknown): unknown {
  const [, sign, name, value] = typeof item === 'string' ? (ITEM.exec(item) ?? []) : [];
  if (sign === undefined) return item;
  if (name === '*') return { $patch: 'replace' };
  if (sign === '-') return { $patch: 'delete', name };
  return value === undefined ? { name } : { name, value };
}

/** The patched document, or the refusal; a patch that was changed on the way is a mistake. */
export function outcome(plan: StrategicPlan, document: Members, patch: unknown): unknown {
  const sent = cloneDocument(patch);
  let result: unknown;
  try {
    result = applyStrategicPatch(plan, document, patch);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    result = `${error.code} ${error.message}`;
  }
  if (deepText(patch) !== deepText(sent)) throw new Error('the patch has changed');
  return result;
}

/** Reads the expected outcome of a scenario. */
export function expectedOutcome(text: string): unknown {
  return /^\d{3} /.test(text) ? text : read(text);
}
