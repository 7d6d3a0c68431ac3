/** `--admission-control-config-file`: what it says about plugins, and what is wrong with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import {
  atLeast,
  document,
  listOf,
  mapOf,
  members,
  text,
} from '../src/admission/check-settings.ts';
import type { SettingRule } from '../src/admission/check-settings.ts';
import type { PluginEntry, PluginSettings } from '../src/admission/plugin.ts';
import { readPluginSettings } from '../src/config/plugin-settings.ts';
import { DEFAULT_GATES } from '../src/release/own-gates.ts';
import { required } from '../src/semantics/errors/field-error.ts';
import type { FieldError } from '../src/semantics/errors/field-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'shardplane-settings-'));
t.teardown(() => rmSync(folder, { recursive: true }));

const NO_SETTINGS: PluginEntry = {
  isOnByDefault: true,
  concerns: () => true,
  load: async () => ({}),
};

function checked(rule: SettingRule): PluginEntry {
  const check = async (settings: PluginSettings): Promise<readonly FieldError[]> => {
    const errors: FieldError[] = [];
    rule(settings, '', errors);
    return errors;
  };
  return { ...NO_SETTINGS, check };
}

const limits: SettingRule = (value, field, errors) => {
  if (value === undefined) errors.push(required(field));
  else listOf(members({ qps: atLeast(1, 'must be positive') }))(value, field, errors);
};
const ENTRIES = {
  Limiter: checked(document('limiter.example.com/v1', 'Configuration', { limits })),
  Selector: checked(members({ selectors: mapOf(text) })),
  Plain: NO_SETTINGS,
};

const TOOLS = { gates: DEFAULT_GATES, typeOf: () => Promise.reject(new Error('not asked')) };

let count = 0;

function file(content: string, name = `file-${count++}.yaml`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const HEAD = 'apiVersion: apiserver.config.cluster.io/v1\nkind: AdmissionConfiguration\n';
const LIMITER = '{apiVersion: limiter.example.com/v1, kind: Configuration, limits: [{qps: 3}]}';

t.test('settings stand in the file, or in others beside it', async (t) => {
  file('selectors: {a: b=c}', 'selectors.yaml');
  const path = file(
    `${HEAD}plugins:\n- {name: Limiter, configuration: ${LIMITER}}\n` +
      '- {name: Selector, path: selectors.yaml}\n',
  );
  const limiter = {
    apiVersion: 'limiter.example.com/v1',
    kind: 'Configuration',
    limits: [{ qps: 3 }],
  };
  t.same(await readPluginSettings(path, ['Plain', 'Limiter', 'Selector'], ENTRIES, TOOLS), {
    Limiter: limiter,
    Selector: { selectors: { a: 'b=c' } },
  });
  t.same(await readPluginSettings(path, ['Limiter'], ENTRIES, TOOLS), { Limiter: limiter });
  t.same(await readPluginSettings(file(HEAD), ['Selector'], ENTRIES, TOOLS), {});
  t.same(await readPluginSettings('', ['Plain', 'Selector'], ENTRIES, TOOLS), {}, 'no file');
});

t.test('what is wrong is said in one line with file and member', async (t) => {
  const limiter = (limits: string): string =>
    `${HEAD}plugins: [{name: Limiter, configuration: ` +
    `{apiVersion: limiter.example.com/v1, kind: Configuration, ${limits}}}]`;
  const rows: [content: string, found: RegExp][] = [
    ['{', /yaml: .*line 1/],
    ['? - '.repeat(5_000), /yaml: yaml: line 1: exceeded max depth of 500$/],
    ['text', /must hold a document with members$/],
    ['[]', /must have members$/],
    ['a: b', /: a: Forbidden: unknown member; apiVersion: Required value: give apiserver\.config/],
    [`${HEAD}plugins: {}`, /: plugins: Invalid value: \{\}: must be a list$/],
    [`${HEAD}plugins: [{}]`, /: plugins\[0\]\.name: Unsupported value: "": supported values: "L/],
    [`${HEAD}plugins: [{name: Plain}]`, /: plugins\[0\]\.name: Forbidden: Plain has no settings$/],
    [`${HEAD}plugins: [{name: toString}]`, /Unsupported value: "toString"/],
    [
      `${HEAD}plugins: [{name: Selector, path: none.yaml}]`,
      /cannot read the configuration of admission plugins .*none\.yaml: ENOENT/,
    ],
    [
      `${HEAD}plugins: [{name: Selector, configuration: 3}]`,
      /Selector: Required value: the document must have members$/,
    ],
    [
      `${HEAD}plugins: [{name: Selector, configuration: {selectors: {a: 3}}}]`,
      /yaml: Selector: selectors\.a: Invalid value: 3: must be a text$/,
    ],
    [
      `${HEAD}plugins: [{name: Selector}, {name: Selector, configuration: {}}, {name: Selector, path: x}]`,
      /plugins\[2\]\.name: Duplicate value: "Selector"$/,
    ],
    [
      limiter('limits: [{qps: 0}]'),
      /Limiter: limits\[0\]\.qps: Invalid value: 0: must be positive$/,
    ],
    [limiter('limits: [{qps: 1.5}]'), /limits\[0\]\.qps: Invalid value: 1\.5: must be a whole/],
    [limiter('limits: [{}, {qps: 2, brust: 1}]'), /limits\[0\]\.qps: .*; limits\[1\]\.brust: Forb/],
    [limiter('').replace('limiter.example.com/v1', 'v2'), /apiVersion: Unsupported value: "v2"/],
  ];
  for (const [content, found] of rows) {
    const reading = readPluginSettings(file(content), ['Plain'], ENTRIES, TOOLS);
    await t.rejects(reading, { name: 'ConfigError', message: found }, content);
  }
  await t.rejects(readPluginSettings('', ['Limiter'], ENTRIES, TOOLS), {
    message: /^the admission plugin Limiter needs settings in --admission-control-config-file: api/,
  });
  await t.rejects(readPluginSettings(join(folder, 'none'), [], ENTRIES, TOOLS), {
    message: /none: ENOENT/,
  });
});
