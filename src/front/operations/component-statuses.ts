/**
 * ComponentStatus: the health of the parts of the control plane. Of those that the reference shows,
 * only the store is a part of this server (`etcd-0`): a scheduler and a manager of workload
 * controllers are other programs, of which it knows nothing, so that it says nothing.
 */
import {
  checkFieldSelector,
  matchesFields,
  METADATA_FIELDS,
  parseFieldSelector,
} from '../../semantics/field-selector.ts';
import { matchesLabels, parseLabelSelector } from '../../semantics/label-selector.ts';
import { notFound } from '../../semantics/status.ts';
import type { Operation, OperationKind, OperationRequest } from './operation.ts';

const COMPONENT_STATUS: OperationKind = {
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  message: 'core.v1.ComponentStatus',
};
const COMPONENT_STATUS_LIST: OperationKind = {
  group: '',
  version: 'v1',
  kind: 'ComponentStatusList',
  message: 'core.v1.ComponentStatusList',
};

const STORE = 'etcd-0';
const DEPRECATION = 'v1 ComponentStatus is deprecated in v1.19+';
const SELECTABLE: ReadonlySet<string> = new Set(METADATA_FIELDS);

export const componentStatuses: Operation = { methods: ['get'], serve };

async function serve(request: OperationRequest): Promise<void> {
  const { exchange, codecs, route } = request;
  const { name } = route;
  exchange.warn([DEPRECATION]);
  if (name === '') {
    const isSelected = selectionOf(request);
    const items = isSelected(STORE) ? [await storeStatus(request)] : [];
    const list = { metadata: {}, items };
    exchange.sendDocument(200, codecs.encode(COMPONENT_STATUS_LIST, list));
    return;
  }
  if (name !== STORE) throw notFound({ group: '', resource: 'componentstatuses' }, name);
  exchange.sendDocument(200, codecs.encode(COMPONENT_STATUS, await storeStatus(request)));
}

/** Which names the selectors of the query select. Throws StatusError 400. */
function selectionOf({ exchange }: OperationRequest): (name: string) => boolean {
  const { query } = exchange;
  const labels = parseLabelSelector(query.text('labelSelector'));
  const fields = parseFieldSelector(query.text('fieldSelector'));
  checkFieldSelector(fields, SELECTABLE);
  return (name) =>
    matchesLabels(labels, undefined) &&
    matchesFields(fields, (field) => (field === 'metadata.name' ? name : ''));
}

async function storeStatus({ checkStorage }: OperationRequest): Promise<object> {
  const type = 'Healthy';
  const metadata = { name: STORE };
  try {
    await checkStorage();
    const message = '{"health":"true"}';
    return { metadata, conditions: [{ type, status: 'True', message }] };
  } catch (error) {
    const { message } = error as Error;
    return { metadata, conditions: [{ type, status: 'False', message, error: message }] };
  }
}
