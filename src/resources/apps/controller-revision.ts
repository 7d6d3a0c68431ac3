/** ControllerRevision (README.md#workloads). */
import type { ControllerRevision } from '#messages/apps.v1';
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
});

/** `daemonset.apps/web`. */
function controllerText(owners: readonly OwnerReference[] = []): string {
  const owner = owners.find(({ controller }) => controller === true);
  if (owner === undefined) return NONE;
  const { apiVersion, kind, name } = owner;
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
  return `${(kind + group).toLowerCase()}/${name}`;
}
