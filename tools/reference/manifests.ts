/** The second part of a comparison: the manifests of `test/manifests`, as users send them. */
import { parse } from 'yaml';
import { swapText } from '../../src/semantics/dialect/names-in-text.ts';
import { KINDS, manifestText, typePath } from '../../test/support/kinds.ts';
import { pathInClientNames } from '../../test/support/requests-in-client-names.ts';
import type { Lane, LaneRequest } from './lane.ts';

const ACCEPTS = [
  undefined,
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
];

export async function runManifests(lane: Lane): Promise<void> {
  for (const kind of KINDS) {
    const text = swapText(manifestText(kind));
    const { name } = (parse(text) as { metadata: { name: string } }).metadata;
    const path = pathInClientNames(typePath(kind, lane.namespace), kind.kind);
    const names = { kind: kind.kind, groupVersion: kind.apiVersion, subresource: '' };
    const origin = `test/manifests/${kind.manifest}`;
    const send = (what: string, request: Omit<LaneRequest, keyof typeof names>): Promise<unknown> =>
      lane.send({ ...names, ...request }, what, origin);
    const body = { body: text, contentType: 'application/yaml' };
    await send('create', { method: 'POST', path, ...body });
    const item = `${path}/${name}`;
    for (const accept of ACCEPTS) {
      await send('get', { method: 'GET', path: item, ...(accept !== undefined && { accept }) });
    }
    const labels = JSON.stringify({ metadata: { labels: { stage: 'two' } } });
    const merge = { body: labels, contentType: 'application/merge-patch+json' };
    await send('patch merge', { method: 'PATCH', path: item, ...merge });
    await send('update', { method: 'PUT', path: item, ...body });
    const apply = { body: text, contentType: 'application/apply-patch+yaml' };
    const query = '?fieldManager=one&force=true';
    await send('apply', { method: 'PATCH', path: `${item}${query}`, ...apply });
    await send('list', { method: 'GET', path });
    await send('delete', { method: 'DELETE', path: item });
  }
}
