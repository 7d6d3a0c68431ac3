/**
 * ComponentStatus: the health of the parts of the control plane. Of those that the reference shows,
 * only the store is a part of this server (`etcd-0`): a scheduler and a manager of workload
 * controllers are other programs, of which it knows nothing, so that it says nothing.
 */
import type { ComponentStatus } from '#messages/core.v1';
import { yamlText } from '../../codec/yaml/yaml-text.ts';
import { COMPONENT_STATUS_PRINTER } from '../../resources/core/nodes/component-status-printer.ts';
import { columnsText, ROW_TAIL, agelessRow } from '../../resources/table-document.ts';
import {
  checkFieldSelector,
  fieldMatcher,
  METADATA_FIELDS,
  parseFieldSelector,
} from '../../semantics/selectors/field-selector.ts';
import { PLAIN_JSON } from '../../semantics/options/answer-form.ts';
import type { Form } from '../../semantics/options/answer-form.ts';
import { labelMatcher } from '../../semantics/selectors/label-matcher.ts';
import { parseLabelSelector } from '../../semantics/selectors/label-selector.ts';
import { META_GROUP } from '../../semantics/metadata/object-meta.ts';
import { notAcceptable, notFound } from '../../semantics/errors/status.ts';
import { MEDIA_TYPES, negotiate } from '../requests/negotiate.ts';
import { refuseExport } from '../requests/options.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';

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
const SELECTABLE: ReadonlySet<string> = new Set(METADATA_FIELDS);

const SHOWN = { message: 'core.v1.ComponentStatus', subresource: '' } as const;

export const componentStatuses: Operation = { methods: ['get'], isTransformed: true, serve };

async function serve(request: OperationRequest): Promise<void> {
  const { context, exchange, route } = request;
  const { name } = route;
  exchange.warn([route.warning]);
  const isListed = name === '';
  const { head, query } = exchange;
  const shown = { ...SHOWN, verb: isListed ? 'list' : 'get' } as const;
  context.form = negotiate(head.accept, shown, query);
  if (!isListed) refuseExport(query);
  const isSelected = isListed ? selectionOf(request) : (one: string) => one === name;
  const found = isSelected(STORE) ? [await storeStatus(request)] : [];
  if (found.length === 0 && !isListed) {
    throw notFound({ group: '', resource: 'componentstatuses' }, name);
  }
  exchange.sendDocument(200, answer(request, found, isListed), context.form.encoding);
}

/** Which names the selectors of the query select. Throws StatusError 400. */
function selectionOf({ exchange }: OperationRequest): (name: string) => boolean {
  const { query } = exchange;
  const matchesLabels = labelMatcher(parseLabelSelector(query.text('labelSelector')));
  const fields = parseFieldSelector(query.text('fieldSelector'));
  checkFieldSelector(fields, SELECTABLE);
  const matchesFields = fieldMatcher(fields);
  return (name) =>
    matchesLabels(undefined) && matchesFields((field) => (field === 'metadata.name' ? name : ''));
}

async function storeStatus({ checkStorage }: OperationRequest): Promise<ComponentStatus> {
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

/** The document: the list of them, or the only one, in the form that was asked for. */
function answer(
  { context, codecs }: OperationRequest,
  found: readonly ComponentStatus[],
  isListed: boolean,
): Uint8Array {
  const { form } = context;
  const [first] = found;
  if (form.as === 'Table') return table(form, codecs, found);
  if (form.as === 'PartialObjectMetadata') {
    if (isListed) return metadataList(form, codecs, found);
    return codecs.encode(partialKind(form), { metadata: first?.metadata }, form);
  }
  if (!isListed && first !== undefined) return codecs.encode(COMPONENT_STATUS, first, form);
  return codecs.encode(COMPONENT_STATUS_LIST, { metadata: {}, items: found }, form);
}

function partialKind({ metaVersion = 'v1' }: Form, list: '' | 'List' = ''): OperationKind {
  const kind = `PartialObjectMetadata${list}`;
  return { group: META_GROUP, version: metaVersion, kind, message: `meta.v1.${kind}` };
}

/** Throws StatusError 406 for the one list whose binary form nobody has asked for in years. */
function metadataList(
  form: Form,
  codecs: OperationRequest['codecs'],
  found: readonly ComponentStatus[],
): Uint8Array {
  const kind = partialKind(form, 'List');
  if (form.encoding === 'protobuf') {
    if (form.metaVersion === 'v1beta1') throw notAcceptable(MEDIA_TYPES);
    const items = found.map(({ metadata }) => ({ metadata }));
    return codecs.encode(kind, { metadata: {}, items }, form);
  }
  const items = found.map(({ metadata }) => textOf(codecs, partialKind(form), { metadata }));
  const apiVersion = `${META_GROUP}/${kind.version}`;
  return documentBytes(
    `{"kind":"${kind.kind}","apiVersion":"${apiVersion}","metadata":{},"items":[${items.join(',')}]}`,
    form,
  );
}

function textOf(codecs: OperationRequest['codecs'], kind: OperationKind, object: object): string {
  return Buffer.from(codecs.encode(kind, object, PLAIN_JSON))
    .toString()
    .trimEnd();
}

function documentBytes(json: string, { encoding }: Form): Uint8Array {
  return Buffer.from(encoding === 'yaml' ? yamlText(`${json}\n`) : `${json}\n`);
}

function table(
  form: Form,
  codecs: OperationRequest['codecs'],
  found: readonly ComponentStatus[],
): Uint8Array {
  const { metaVersion = 'v1', includeObject } = form;
  const printer = COMPONENT_STATUS_PRINTER;
  const objectOf = (one: ComponentStatus): string => {
    if (includeObject === 'None') return 'null';
    if (includeObject === 'Object') return textOf(codecs, COMPONENT_STATUS, one);
    return textOf(codecs, partialKind(form), { metadata: one.metadata });
  };
  // It shows no ages, so that the time does not matter.
  const rows = found.map((one) => `${agelessRow(printer, one)}${objectOf(one)}${ROW_TAIL}`);
  const apiVersion = `${META_GROUP}/${metaVersion}`;
  return documentBytes(
    `{"kind":"Table","apiVersion":"${apiVersion}","metadata":{},` +
      `"columnDefinitions":${columnsText(printer)},"rows":[${rows.join(',')}]}`,
    form,
  );
}
