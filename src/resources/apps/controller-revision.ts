/** ControllerRevision (README.md#workloads). */
import type { ControllerRevision } from '#messages/apps.v1';
import type { RawJson } from '../../codec/json/raw-json.ts';
import { ownRelease } from '../../release/release.ts';
import { required } from '../../semantics/errors/field-error.ts';
import { parseDocument } from '../../semantics/patch/document.ts';
import type { OwnerReference } from '../../semantics/metadata/object-meta.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME, NONE } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

export const CONTROLLER_REVISION = defineKind<ControllerRevision>({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
  message: 'apps.v1.ControllerRevision',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Controller', 'What the revision is a state of.', 'metadata.ownerReferences',
      controllerText),
    // A revision beyond 2^53 is a bigint, whose digits a cell must keep.
    text('Revision', 'The number of the revision among those of its controller.', 'revision',
      (number: number | bigint = 0) =>
        typeof number === 'bigint' ? parseDocument(String(number)) : number),
    AGE,
  ]),

  validateCreate({ data }) {
    if (!ownRelease().has('checkedRevisions')) return [];
    const kind = data === undefined ? 'null' : kindOf(data);
    if (kind === 'object') return [];
    const why = kind === 'null' ? 'data is mandatory' : 'data must be a valid JSON object';
    return [required('data', why)];
  },
});

/** Tells null, objects and other values of free JSON apart. */
function kindOf(data: RawJson): 'null' | 'object' | 'other' {
  if (data.text === 'null') return 'null';
  return data.text.startsWith('{') ? 'object' : 'other';
}

/** `daemonset.apps/web`. */
function controllerText(owners: readonly OwnerReference[] = []): string {
  const owner = owners.find(({ controller }) => controller === true);
  if (owner === undefined) return NONE;
  const { apiVersion, kind, name } = owner;
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
  return `${(kind + group).toLowerCase()}/${name}`;
}
