// The texts and paths of schema errors, on a small model of our own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import type { FieldSchema, SchemaModel } from '../../src/codec/model/schema-model.ts';
import {
  schemaValidator,
  type CompiledValidators,
} from '../../src/semantics/validation/validation.ts';
import {
  compileValidators,
  generateValidatorModule,
} from '../../src/semantics/validation/validator-compiler.ts';

function field(name: string, type: string, rest: Partial<FieldSchema> = {}): FieldSchema {
  return { name, number: 1, type, container: 'single', ...rest };
}

const list = { container: 'list' } as const;
const map = { container: 'map' } as const;
const presence = true;

function modelOf(messages: Readonly<Record<string, readonly FieldSchema[]>>): SchemaModel {
  const entries = Object.entries(messages).map(([name, fields]) => [name, { name, fields }]);
  return { messages: Object.fromEntries(entries) as SchemaModel['messages'] };
}

const MODEL = modelOf({
  'x.Kind': [
    field('metadata', 'meta.v1.ObjectMeta', { always: true }),
    field('spec', 'x.Spec', { always: true }),
    field('data', 'string', { ...map, keyFormat: 'config-key' }),
    field('free', 'x.Free'),
  ],
  'x.Spec': [
    field('who', 'string', { required: true, format: 'dns-subdomain' }),
    field('source', 'x.Source', { inline: true }),
    field('count', 'int64', { minimum: 0 }),
    field('percent', 'int32', { minimum: 0, maximum: 100 }),
    field('below', 'int32', { maximum: 9 }),
    field('mode', 'string', { enumValues: ['On', 'Off'] }),
    field('hint', 'string', { presence, enumValues: ['On', 'Off'] }),
    field('modes', 'string', { ...list, enumValues: ['On', 'Off'] }),
    field('part', 'x.Part', { presence }),
    field('parts', 'x.Part', list),
    field('named', 'x.Part', map),
  ],
  'x.Source': [field('disk', 'string'), field('net', 'x.Part', { presence })],
  'x.Part': [
    field('labels', 'string', { ...map, format: 'label-value', keyFormat: 'qualified-name' }),
    field('items', 'string', { ...list, required: true }),
    field('inner', 'x.Part', { presence }),
  ],
  'x.Free': [field('text', 'string'), field('more', 'x.Free', { presence })],
  'meta.v1.ObjectMeta': [field('name', 'string', { required: true })],
});

type Case = readonly [name: string, object: object, errors: readonly string[]];

const HINT = ': a lowercase RFC 1123 subdomain must consist';

/** Errors are cut after 80 characters: the hints have tests of their own. */
const CASES: readonly Case[] = [
  ['nothing wrong', { metadata: {}, spec: { who: 'a', mode: 'On' } }, []],
  ['required in a message that was left out', {}, ['spec.who: Required value']],
  ['required and empty', { spec: { who: '' } }, ['spec.who: Required value']],
  ['a format', { spec: { who: 'A' } }, [`spec.who: Invalid value: "A"${HINT}`]],
  [
    'a minimum',
    { spec: { who: 'a', count: -1 } },
    ['spec.count: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'a minimum, for an int64 that does not fit a number',
    { spec: { who: 'a', count: -9223372036854775808n } },
    ['spec.count: Invalid value: -9223372036854775808: must be greater than or equal to 0'],
  ],
  [
    'a minimum and a maximum',
    { spec: { who: 'a', percent: 101 } },
    ['spec.percent: Invalid value: 101: must be between 0 and 100, inclusive'],
  ],
  [
    'a maximum',
    { spec: { who: 'a', below: 10 } },
    ['spec.below: Invalid value: 10: must be less than or equal to 9'],
  ],
  [
    "an enumeration, in the model's order",
    { spec: { who: 'a', mode: 'on' } },
    ['spec.mode: Unsupported value: "on": supported values: "On", "Off"'],
  ],
  ['an empty value of an enumeration is no value', { spec: { who: 'a', mode: '' } }, []],
  [
    'an empty value is one where presence counts',
    { spec: { who: 'a', hint: '' } },
    ['spec.hint: Unsupported value: "": supported values: "On", "Off"'],
  ],
  [
    'an item of a list',
    { spec: { who: 'a', modes: ['On', ''] } },
    ['spec.modes[1]: Unsupported value: "": supported values: "On", "Off"'],
  ],
  [
    'a key of a map',
    { spec: { who: 'a' }, data: { good: '', 'a/b~': '' } },
    [
      'data[a/b~]: Invalid value: "a/b~": a valid config key must consist of alphanumeric characters',
    ],
  ],
  [
    'messages in lists, in maps and below optional messages',
    {
      spec: { who: 'a', part: {}, parts: [{ items: ['x'] }, { items: [] }], named: { 'k/1': {} } },
    },
    [
      'spec.part.items: Required value',
      'spec.parts[1].items: Required value',
      'spec.named[k/1].items: Required value',
    ],
  ],
  [
    'a message that holds itself',
    { spec: { who: 'a', part: { items: ['x'], inner: { items: ['x'], inner: {} } } } },
    ['spec.part.inner.inner.items: Required value'],
  ],
  [
    'keys and values of a map of labels',
    { spec: { who: 'a', part: { items: ['x'], labels: { 'a b': '-' } } } },
    [
      'spec.part.labels[a b]: Invalid value: "a b": name part must consist of alphanumeric characters',
      'spec.part.labels[a b]: Invalid value: "-": a valid label must be an empty string or consist',
    ],
  ],
  ['an inline message', { spec: { who: 'a', net: {} } }, ['spec.net.items: Required value']],
  [
    'several errors come in declaration order',
    { data: { '..': '' }, spec: { mode: 'x', count: -1, net: {} } },
    [
      'spec.who: Required value',
      'spec.net.items: Required value',
      'spec.count: Invalid value: -1: must be greater than or equal to 0',
      'spec.mode: Unsupported value: "x": supported values: "On", "Off"',
      'data[..]: Invalid value: "..": must not be \'..\'',
    ],
  ],
];

function checkAll(t: Test, compiled: CompiledValidators): void {
  const validate = schemaValidator(MODEL, 'x.Kind', compiled);
  for (const [name, object, expected] of CASES) {
    const texts = validate(object).map(({ field, message }) => `${field}: ${message}`);
    const cut = texts.map((text, index) => text.slice(0, expected[index]?.length));
    t.same(cut, expected, name);
  }
}

t.test('validators that are compiled in place', async (t) => {
  checkAll(t, compileValidators(MODEL, ['x.Kind']));
});

t.test('validators that are compiled ahead into a module', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'validators-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const semantics = pathToFileURL(resolve('src/semantics')).href;
  const code = generateValidatorModule(MODEL, ['x.Kind', 'x.Free'], semantics);
  t.notMatch(code, 'require(', 'the module needs nothing of ajv');
  const file = join(folder, 'validators.mjs');
  writeFileSync(file, code);
  const module = (await import(pathToFileURL(file).href)) as { VALIDATORS: CompiledValidators };
  t.same(Object.keys(module.VALIDATORS), ['x.Kind'], 'a message without rules has no validator');
  checkAll(t, module.VALIDATORS);
});

t.test('a message without rules is always valid', async (t) => {
  const validate = schemaValidator(MODEL, 'x.Free', compileValidators(MODEL, ['x.Free']));
  t.same(validate({ text: 1, more: { text: 2 } }), []);
});

t.test('an unknown format does not compile', async (t) => {
  const model = modelOf({ 'x.Kind': [field('a', 'string', { format: 'no-such-format' })] });
  t.throws(() => compileValidators(model), /no-such-format/);
});
