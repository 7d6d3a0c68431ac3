/**
 * Measures the rules of kinds, without store and hops: a body decoded, its defaults set, its rules
 * checked, and the object encoded, for the objects that `npm run bench -- --only kinds` writes; and
 * protobuf, from a body and from stored text.
 */
import { join } from 'node:path';
import { RANDOMNESS } from '../src/base/randomness.ts';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import { builtInType } from '../src/types/built-in/built-in-type.ts';
import type { ApiObject, BuiltInKind } from '../src/resources/kind.ts';
import { prepareCreate, proposeCreate } from '../src/types/prepare-object.ts';
import { DEPLOYMENT } from '../src/resources/apps/deployment.ts';
import { CONFIG_MAP } from '../src/resources/core/config-map.ts';
import { POD } from '../src/resources/core/pods/pod.ts';
import { compileValidators } from '../src/semantics/validation/validator-compiler.ts';
import { readProtoFolder } from '../tools/read-proto.ts';
import { measure, microOptions, report } from './micro.ts';
import { CONTENT_MARK, NAME_MARK, OBJECT_TEXTS, type ObjectKind } from './object-texts.ts';
import type { ResultRow } from './report.ts';

const KINDS: readonly (readonly [ObjectKind, BuiltInKind])[] = [
  ['configmap', CONFIG_MAP],
  ['pod', POD],
  ['deployment', DEPLOYMENT],
];
const NEW = {
  uid: '11111111-2222-3333-4444-555555555555',
  creationTimestamp: '2024-01-01T00:00:00Z',
  random: RANDOMNESS,
};
const OBJECT_BYTES = 1024;

const options = microOptions();
const model = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../proto')));
const validators = compileValidators(
  model,
  KINDS.map(([, { message }]) => message),
);

function rows([name, definition]: (typeof KINDS)[number]): ResultRow[] {
  const kind = builtInType(definition, model, validators);
  const { codec } = kind.stored;
  const protobuf = kind.stored.protobuf!;
  const text = OBJECT_TEXTS[name]
    .text('default', OBJECT_BYTES)
    .replaceAll(NAME_MARK, '0000000001')
    .replaceAll(CONTENT_MARK, '0000000002');
  const decoded = (): ApiObject => codec.decode(text).object as ApiObject;
  const prepared = decoded();
  proposeCreate(kind, prepared);
  prepareCreate(kind, prepared, NEW);
  const errors = kind.validator.validateCreate(prepared);
  if (errors.length > 0) throw new Error(`${name}: ${JSON.stringify(errors)}`);
  const stored = Buffer.from(codec.encode(prepared));
  const sent = protobuf.encodeObject(decoded());
  const shown = `${name} of ${text.length} bytes`;
  return [
    measure(`decode a ${shown}`, options, decoded),
    // An object has its defaults set once: the cost of decoding it is in both.
    measure(`decode and default a ${shown}`, options, () => proposeCreate(kind, decoded())),
    measure(`validate a ${shown}`, options, () => kind.validator.validateCreate(prepared)),
    measure(`encode a ${shown}`, options, () => codec.encode(prepared)),
    measure(`write a ${shown} in protobuf`, options, () => protobuf.encode(stored)),
    measure(`decode a ${shown} from protobuf`, options, () => protobuf.decode(sent)),
  ];
}

report('kind-rules', options, KINDS.flatMap(rows));
