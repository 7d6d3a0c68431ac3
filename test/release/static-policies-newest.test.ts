/** Policies in files: what they may say, and what they say of writes. */
import '../support/newest-release.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { manifestsIn, type PluginSettings, type PluginTools } from '../../src/admission/plugin.ts';
import {
  mutatingAdmissionPolicy,
  validatingAdmissionPolicy,
} from '../../src/admission/plugins/policies/entry.ts';
import { ValidatingPolicies } from '../../src/admission/plugins/policies/validating-policies.ts';
import { builtInKind } from '../../src/cluster/load-type.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import { builtInType } from '../../src/types/built-in/built-in-type.ts';
import { MODEL } from '../resources/kind-rules.ts';
import { admissionContext, proposed } from '../support/proposals.ts';

const root = mkdtempSync(join(tmpdir(), 'shardplane-policies-'));
t.teardown(() => rmSync(root, { recursive: true }));

const TOOLS: PluginTools = {
  gates: DEFAULT_GATES,
  typeOf: async (resource, gates) => {
    const kind = builtInKind(resource);
    return builtInType(kind, MODEL, compileValidators(MODEL, [kind.message]), gates);
  },
};

const policy = (name: string, resource = 'configmaps', more = ''): string => `
apiVersion: admissionregistration.cluster.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [${resource}]}
  validations:
  - expression: oldObject != null || object.metadata.name != 'bad'
    message: ${name} says no
  ${more}
`;

const binding = (name: string, policyName: string, more = ''): string => `
apiVersion: admissionregistration.cluster.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${policyName}, validationActions: [Deny]${more}}
`;

let count = 0;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(count++));
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

function settingsOf(staticManifestsDir: string): PluginSettings {
  const apiVersion = 'apiserver.config.cluster.io/v1';
  return { apiVersion, kind: 'ValidatingAdmissionPolicyConfiguration', staticManifestsDir };
}

const [P, B] = ['p.static.cluster.io', 'b.static.cluster.io'];
const WHOLE = { 'a.yaml': `${policy(P)}---\n${binding(B, P)}` };

function read(files: Readonly<Record<string, string>>): Promise<PluginSettings> {
  return validatingAdmissionPolicy.read!(settingsOf(folderOf(files)), TOOLS);
}

t.test('settings name a folder, where the feature is on', async (t) => {
  const told = async (settings: PluginSettings, gates = DEFAULT_GATES): Promise<string> =>
    (await validatingAdmissionPolicy.check!(settings, gates))
      .map(({ field, message }) => `${field}: ${message}`)
      .join();
  const settings = settingsOf(folderOf(WHOLE));
  t.equal(await told({}), '');
  t.equal(await told(settings), '');
  t.match(await told(settings, new Set()), 'requires the ManifestBasedAdmissionControlConfig');
  t.match(await told(settingsOf('beside')), 'must be an absolute file path');
  t.match(await told(settingsOf(join(root, 'none'))), 'unable to read');
  t.match(
    (await mutatingAdmissionPolicy.check!(settings, DEFAULT_GATES)).map(({ field }) => field),
    ['kind'],
  );
});

t.test('files hold policies with bindings, one by one and in lists', async (t) => {
  const list = { apiVersion: 'v1', kind: 'List', items: [] as object[] };
  const names = async (files: Readonly<Record<string, string>>): Promise<unknown> => {
    const { objects } = manifestsIn(await read(files))!;
    return objects.map((all) => all.map(({ metadata }) => metadata.name));
  };
  t.same(await names(WHOLE), [[P], [B]]);
  t.same(await names({ 'none.txt': 'no policy', 'empty.json': JSON.stringify(list) }), [[], []]);
  const other = {
    apiVersion: 'admissionregistration.cluster.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'a.static.cluster.io' },
    spec: { policyName: P, validationActions: ['Audit'] },
  };
  list.items.push(other);
  t.same(await names({ ...WHOLE, 'list.json': JSON.stringify(list) }), [
    [P],
    ['a.static.cluster.io', B],
  ]);
});

t.test('what is wrong with a file is told', async (t) => {
  const wrong: readonly (readonly [string, string])[] = [
    [policy('p'), '"p" in file .* must have a name ending with ".static.cluster.io"'],
    [policy(P) + '---' + policy(P), 'duplicate name "p.static.cluster.io" found in file'],
    [
      policy(P, 'pods', 'paramKind: {apiVersion: v1, kind: Pod}'),
      'spec.paramKind is not supported',
    ],
    [binding(B, 'p'), 'spec.policyName "p" must end with ".static.cluster.io"'],
    [binding(B, P), 'references policy "p.static.cluster.io" which does not exist in the manifest'],
    [binding(B, P, ', paramRef: {name: a}'), 'spec.paramRef is not supported for static manifests'],
    [policy(P, 'pods', 'colour: red'), 'strict decoding error: unknown field "spec.colour"'],
    [policy(P).replace('oldObject !=', 'old !='), "undeclared reference to 'old'"],
    ['{apiVersion: v1, kind: Pod}', 'unsupported resource type v1, Kind=Pod'],
  ];
  for (const [content, message] of wrong) {
    await t.rejects(read({ 'a.yaml': content }), { message: new RegExp(message) }, message);
  }
});

t.test(
  'they are held against writes, of policies too, which those of the API are not',
  async (t) => {
    const Q = 'q.static.cluster.io';
    const settings = await read({
      ...WHOLE,
      'b.yml': `${policy(Q, "'*'")}\n---\n${binding('b', Q).replace('name: b', `name: c.${Q}`)}`,
    });
    const context = admissionContext();
    const plugin = new ValidatingPolicies(context, settings);
    t.equal(plugin.isIdle, false);
    const told = async (what: string, name: string): Promise<string> => {
      const object = { metadata: { name, namespace: 'ns' } } as never;
      try {
        await plugin.validate(proposed(what, { object }));
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    t.equal(await told('CREATE - configmaps', 'good'), '');
    t.match(await told('CREATE - configmaps', 'bad'), 'p.static.cluster.io says no');
    const ofPolicies = { operation: 'CREATE', resource: 'validatingadmissionpolicies' } as const;
    const write = { ...ofPolicies, group: 'admissionregistration.cluster.io', subresource: '' };
    t.equal(validatingAdmissionPolicy.concerns(write as never, undefined), false);
    t.equal(validatingAdmissionPolicy.concerns(write as never, settings), true);
  },
);
