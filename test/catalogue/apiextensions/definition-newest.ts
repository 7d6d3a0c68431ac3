// Rules of definitions of the newest release.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as DEFINITIONS } from './custom-resource-definition.ts';

const FLAGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const SCHEMA = {
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
    color: { type: 'string' },
    size: { type: 'number' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    ...Object.fromEntries(FLAGS.map((name) => [name, { type: 'boolean' }])),
  },
};
const VERSION = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } };
const LATER = { ...VERSION, name: 'v2', storage: false };
const selectable = (...paths: readonly string[]): Change => ({
  spec: { versions: [{ ...VERSION, selectableFields: paths.map((jsonPath) => ({ jsonPath })) }] },
});
const FIELD = 'spec.selectableFields';
const NO_SCALAR =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with ' +
  'formats are allowed.';

export const CASES: KindCases = {
  ...DEFINITIONS,
  release: 37,
  invalid: [
    ['selectable fields: members, also of maps', selectable('.color', '.labels.x', '.a'), []],
    ['selectable fields: a path', selectable(''), [`${FIELD}[0].jsonPath: Required value`]],
    [
      'selectable fields: also beside a schema that says nothing',
      { spec: { versions: [{ ...VERSION, schema: {}, selectableFields: [{}] }] } },
      [
        'spec.versions[0].schema.openAPIV3Schema: Required value',
        `${FIELD}[0].jsonPath: Required value`,
      ],
    ],
    [
      'selectable fields: a path of the schema without lists',
      selectable('color', '.none', '.', '.labels["x"]', '.color.x'),
      [
        `${FIELD}[0].jsonPath: Invalid value: "color": is an invalid path: expected [ or . but got: color`,
        `${FIELD}[1].jsonPath: Invalid value: ".none": is an invalid path: does not refer to a valid field`,
        `${FIELD}[2].jsonPath: Invalid value: ".": is an invalid path: unexpected end of JSON path`,
        `${FIELD}[3].jsonPath: Invalid value: ".labels[\\"x\\"]": is an invalid path: array notation is not allowed`,
        `${FIELD}[4].jsonPath: Invalid value: ".color.x": is an invalid path: does not refer to a valid field`,
      ],
    ],
    [
      'selectable fields: scalars outside of metadata, each once',
      selectable('.size', '.metadata.name', '.color', '.color'),
      [
        `${FIELD}[0].jsonPath: Invalid value: ".size": ${NO_SCALAR}`,
        `${FIELD}[1].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata`,
        `${FIELD}[3].jsonPath: Duplicate value: ".color"`,
      ],
    ],
    [
      'selectable fields: at most eight',
      selectable(...FLAGS.map((name) => `.${name}`)),
      [`${FIELD}: Too many: 9: must have at most 8 items`],
    ],
    [
      'selectable fields: of a schema that can be read',
      {
        spec: {
          versions: [
            {
              ...VERSION,
              schema: { openAPIV3Schema: { ...SCHEMA, id: 'a' } },
              selectableFields: [{}],
            },
          ],
        },
      },
      [
        'spec.validation.openAPIV3Schema.id: Forbidden: id is not supported',
        `spec.schema.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'id' is not supported`,
        `${FIELD}[0].jsonPath: Required value`,
      ],
    ],
    [
      'selectable fields: in all versions, or where the schema is',
      { spec: { versions: [{ ...VERSION, selectableFields: [{ jsonPath: '.color' }] }, LATER] } },
      [
        'spec.versions[0].selectableFields: Invalid value: "": may only be set when `version.schema.openAPIV3Schema` is not included',
      ],
    ],
  ],
  updates: [],
  statusUpdates: [],
};
