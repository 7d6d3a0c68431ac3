/** `npm run export`: all objects of a server as YAML. */
import { OptionsError, parseOptions } from '../flags.ts';
import type { Output } from '../output.ts';
import { allTypes, typePath, type ApiType } from './api-types.ts';
import type { Api } from './api.ts';
import { exportedFiles } from './exported-files.ts';
import type { ApiObject } from './objects.ts';
import { Progress } from './progress.ts';
import { findRunning, TARGET_FLAGS, TARGET_HELP, textOf } from './target.ts';
import { exitCodeOf, ToolError } from './tool-error.ts';

const PAGE = 500;
/** Of no use elsewhere. */
const LEFT_OUT = ['Event', 'APIService'];

const HELP = [
  'Usage: npm run export -- --to FOLDER|FILE [--namespace NAME] [--type RESOURCE]',
  '                         [--data-dir FOLDER | --kubeconfig FILE]',
  '',
  'Writes all objects of a running server as YAML, as of one version, for npm run import: into a',
  'folder with a file for each type, in one more for each namespace; or into one FILE.yaml, in the',
  'order in which they can be made. Events and APIServices are left out. Secrets are in it.',
  '',
  '  --to FOLDER|FILE    what is written; it is empty or not there',
  '  --namespace NAME    only what is in that namespace, and the namespace',
  '  --type RESOURCE     only that type: configmaps, deployments.apps',
  ...TARGET_HELP,
  '',
].join('\n');

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly ApiObject[];
}

/** Runs with arguments; returns the exit code. */
export async function runExport(args: readonly string[], output: Output): Promise<number> {
  return exitCodeOf(output, async () => {
    const flags = {
      to: { value: 'FOLDER|FILE' },
      namespace: { value: 'NAME' },
      type: { value: 'RESOURCE' },
      ...TARGET_FLAGS,
    };
    const given = parseOptions(flags, args);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    const to = textOf(given, 'to');
    if (to === '') throw new OptionsError('give --to FOLDER or FILE');
    const api = findRunning(given);
    try {
      const only = { namespace: textOf(given, 'namespace'), type: textOf(given, 'type') };
      output.write(`${await exportTo(api, to, only, output)}\n`);
      return 0;
    } finally {
      api.close();
    }
  });
}

/** Each is '' for all. */
interface Only {
  readonly namespace: string;
  readonly type: string;
}

/** Says what it has written. */
async function exportTo(
  api: Api,
  to: string,
  { namespace, type: only }: Only,
  output: Output,
): Promise<string> {
  const files = exportedFiles(to);
  const progress = new Progress(output);
  const types = (await allTypes(api)).filter((type) => isMeant(type, only));
  if (types.length === 0) throw new ToolError(`the server has no type ${only}`);
  let version = '';
  let count = 0;
  for (const type of types) {
    const listed = await objectsOf(api, type, namespace, version);
    version ||= listed.version;
    count += listed.objects.length;
    files.add(type, listed.objects);
    progress.tell(() => `${count} objects`);
  }
  files.finish();
  return `exported ${count} objects as of version ${version} into ${to}`;
}

function isMeant({ apiVersion, kind, plural }: ApiType, only: string): boolean {
  if (only === '') return !LEFT_OUT.includes(kind);
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  return only === plural || only === `${plural}${group}`;
}

/** All of a type as of a version, '' for the newest, and that version. */
async function objectsOf(
  api: Api,
  type: ApiType,
  namespace: string,
  at: string,
): Promise<{ readonly objects: readonly ApiObject[]; readonly version: string }> {
  const isNamespaceItself = type.kind === 'Namespace' && type.apiVersion === 'v1';
  if (namespace !== '' && !type.isNamespaced && !isNamespaceItself)
    return { objects: [], version: '' };
  const only =
    isNamespaceItself && namespace !== '' ? `&fieldSelector=metadata.name=${namespace}` : '';
  const exact = at === '' ? '' : `&resourceVersion=${at}&resourceVersionMatch=Exact`;
  const path = `${typePath(type, namespace)}?limit=${PAGE}${only}`;
  const objects: ApiObject[] = [];
  let version = at;
  for (let token = ''; ;) {
    const list = await api.json<List>(
      'GET',
      token === '' ? `${path}${exact}` : `${path}&continue=${encodeURIComponent(token)}`,
    );
    version ||= list.metadata.resourceVersion;
    const { apiVersion, kind } = type;
    // Items of a list do not say what they are.
    for (const item of list.items) objects.push({ ...item, apiVersion, kind });
    token = list.metadata.continue ?? '';
    if (token === '') return { objects, version };
  }
}
