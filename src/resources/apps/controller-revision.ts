/** ControllerRevision (README.md#workloads). */
import type { ControllerRevision } from '#messages/apps.v1';
import { parseDocument } from '../../semantics/patch/document.ts';
import { defineKind } from '../kind.ts';
import { AGE_COLUMN, ageOf, column, NAME_COLUMN, nameOf, NONE } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

const CONTROLLER_REVISION_PRINTER = definePrinter<ControllerRevision>()({
  columns: [
    NAME_COLUMN,
    column('Controller', 'string', 'What the revision is a state of.'),
    column('Revision', 'string', 'The number of the revision among those of its controller.'),
    AGE_COLUMN,
  ],
  members: { metadata: { ownerReferences: true }, revision: true },
  cells(object) {
    const { revision = 0 } = object;
    // A revision beyond 2^53 is a bigint, whose digits a cell must keep.
    const number = typeof revision === 'bigint' ? parseDocument(String(revision)) : revision;
    return [nameOf(object), controllerText(object), number, ageOf(object)];
  },
});

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
  printer: CONTROLLER_REVISION_PRINTER,
});

/** `daemonset.apps/web`. */
function controllerText({ metadata: { ownerReferences = [] } }: ControllerRevision): string {
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (owner === undefined) return NONE;
  const { apiVersion, kind, name } = owner;
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
  return `${(kind + group).toLowerCase()}/${name}`;
}
