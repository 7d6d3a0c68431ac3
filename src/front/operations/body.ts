/** Bodies of operations: what is asked for, and how (src/codec/README.md#bodies). */
import { OPERATION_YAML_BODY_BYTES_MAX } from '../../limits.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { settleNamespace } from '../../types/prepare-object.ts';
import { requestEntityTooLarge, successStatus } from '../../semantics/status.ts';
import { bodyFormat } from '../negotiate.ts';
import { checkWriteOptions } from '../options.ts';
import type { OperationKind, OperationRequest } from './operation.ts';

export interface Asked {
  readonly object: ApiObject;
  /** The kind that the body names; '' for none. */
  readonly sentKind: string;
  readonly dryRun: boolean;
}

/**
 * The object that was sent, in the namespace of the request. Throws StatusError 400, 413, 415, and
 * 422 for options that are not allowed.
 */
export function readAsked(request: OperationRequest, kind: OperationKind): Asked {
  const { exchange, codecs, body, route } = request;
  const format = bodyFormat(exchange.head.contentType);
  if (format === 'yaml' && body.length > OPERATION_YAML_BODY_BYTES_MAX) {
    throw requestEntityTooLarge(OPERATION_YAML_BODY_BYTES_MAX);
  }
  const { dryRun, fieldValidation = 'Ignore' } = checkWriteOptions(exchange.query, 'CreateOptions');
  const how = { format, fieldValidation };
  const { object, sentKind, warnings } = codecs.decode(kind, body, how);
  exchange.warn(warnings);
  settleNamespace(object, route.namespace);
  return { object, sentKind, dryRun };
}

/** Answers 201 with an object of the kind that was asked with. */
export function sendCreated(
  { exchange, codecs }: OperationRequest,
  kind: OperationKind,
  object: object,
): void {
  exchange.sendDocument(201, codecs.encode(kind, object, exchange.form));
}

/** Answers 201 with the Status of something that was done. */
export function sendDone({ exchange }: OperationRequest): void {
  exchange.sendSuccess(201, successStatus({ code: 201 }));
}
