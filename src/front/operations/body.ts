/** Bodies of operations: what is asked for, and how (src/codec/README.md#bodies). */
import { MailboxFullError } from '../../actors/link.ts';
import { OPERATION_TURN_BYTES_MIN } from '../limits.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { ProposedForms } from '../../admission/proposal.ts';
import { groupVersionOf, type ApiObject } from '../../resources/kind.ts';
import { PLAIN_JSON } from '../../semantics/options/answer-form.ts';
import { ownRelease } from '../../release/release.ts';
import { refuseOtherNamespace } from '../../types/prepare-object.ts';
import { dropDuplicateOwners } from '../../semantics/metadata/duplicate-owners.ts';
import { META_GROUP } from '../../semantics/metadata/object-meta.ts';
import { successStatus } from '../../semantics/errors/status.ts';
import { admitted } from './admit.ts';
import { bodyFormat } from '../requests/negotiate.ts';
import { fieldManagerOf } from '../requests/field-manager.ts';
import { checkWriteOptions } from '../requests/options.ts';
import type { OperationKind, OperationRequest } from '../operation.ts';

export interface Asked {
  readonly object: ApiObject;
  readonly dryRun: boolean;
}

/** Objects that only ask lose the metadata that the server alone writes. */
const WIPES_QUESTIONS = ownRelease().has('wipedQuestions');

/** They may ask for one object of several that have a name in turn. */
const KEEP_RECORDS: ReadonlySet<string> = new Set(['pods/binding', 'serviceaccounts/token']);

function wipeRecords({ metadata }: ApiObject): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

const NAMESPACES_FIRST = ownRelease().has('namespacesBeforeNames');

/**
 * The object that was sent, as those leave it who have a say in it. The namespace of the request
 * counts, whatever it says. Rejects with StatusError 400, 415, with 422 for options that are not
 * allowed, with MailboxFullError, and with what it is refused with.
 */
export async function readAsked(request: OperationRequest, kind: OperationKind): Promise<Asked> {
  const { exchange, codecs, body, yaml, route } = request;
  const format = bodyFormat(exchange.head.contentType);
  const { dryRun, fieldValidation = 'Ignore' } = checkWriteOptions(exchange.query, 'CreateOptions');
  const how = { format, fieldValidation, ...(yaml !== undefined && { yaml }) };
  await turnOf(request, Math.max(body.length, yaml?.json.length ?? 0));
  const { object, warnings } = codecs.decode(kind, body, how);
  if (WIPES_QUESTIONS && !KEEP_RECORDS.has(route.operation)) wipeRecords(object);
  if (NAMESPACES_FIRST) {
    refuseOtherNamespace(object.metadata, route.namespace);
    if (route.namespace === '') delete object.metadata.namespace;
  }
  exchange.warn(dropDuplicateOwners(object.metadata, false, warnings));
  const [, subresource = ''] = route.operation.split('/');
  const isPart = subresource !== '';
  const manager = exchange.query.text('fieldManager');
  object.metadata.managedFields = codecs.ownersOf(kind, object, {
    manager: fieldManagerOf(manager, exchange.head.userAgent),
    apiVersion: groupVersionOf(kind),
    subresource,
    time: utcSeconds(request.nowMs()),
  });
  const admittedObject = await admitted(request, {
    operation: 'CREATE',
    // Parts are those of types of the core.
    group: isPart ? '' : kind.group,
    version: isPart ? 'v1' : kind.version,
    forms: formsOf(request, kind),
    object,
    dryRun,
    options: () => ({
      kind: 'CreateOptions',
      apiVersion: `${META_GROUP}/v1`,
      ...(dryRun && { dryRun: ['All'] }),
      ...(manager !== '' && { fieldManager: manager }),
    }),
  });
  return { object: admittedObject, dryRun };
}

/** Waits with a body that takes milliseconds to read. Rejects with MailboxFullError. */
async function turnOf({ bodyTurns, user }: OperationRequest, bytes: number): Promise<void> {
  if (bytes <= OPERATION_TURN_BYTES_MIN) return;
  if (!bodyTurns.hasRoom(user.name, bytes)) throw new MailboxFullError('too many bodies wait');
  await bodyTurns.begin(user.name, bytes);
}

/** The objects of an operation look as they were sent, whatever the version of their type. */
function formsOf({ codecs, route }: OperationRequest, kind: OperationKind): ProposedForms {
  const groupVersion = groupVersionOf(kind);
  const [resource = ''] = route.operation.split(/[./]/);
  const isPart = route.operation.includes('/');
  const type = isPart ? { group: '', groupVersion: 'v1' } : { group: kind.group, groupVersion };
  return {
    kind: kind.kind,
    groupVersion,
    versions: [{ ...type, resource }],
    text: (object) =>
      Buffer.from(codecs.encode(kind, object, PLAIN_JSON))
        .toString()
        .trimEnd(),
    read: (text) =>
      codecs.decode(kind, Buffer.from(text), { format: 'json', fieldValidation: 'Ignore' }).object,
    strictProblems: (text) => codecs.strictProblems(kind, text),
    fieldTypes: () => codecs.fieldTypes(kind),
  };
}

/** Answers 201 with an object of the kind that was asked with. */
export function sendCreated(
  { context, exchange, codecs }: OperationRequest,
  kind: OperationKind,
  object: object,
): void {
  const { form } = context;
  exchange.sendDocument(201, codecs.encode(kind, object, form), form.encoding);
}

/** Answers 201 with the Status of something that was done. */
export function sendDone({ context, exchange }: OperationRequest): void {
  exchange.sendSuccess(201, successStatus({ code: 201 }), context.form.encoding);
}
