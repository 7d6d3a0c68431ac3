/** Exchanges of a server share this. */
import { join } from 'node:path';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import type { SchemaModel } from '../../src/codec/model/schema-model.ts';
import type { AnswerContext } from '../../src/front/answers/answer-context.ts';
import type { RequestHead } from '../../src/front/http.ts';
import { lazyStatusCodec } from '../../src/resources/status-document.ts';
import { readProtoFolder } from '../../tools/read-proto.ts';

export function schemaModel(): SchemaModel {
  return loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../../proto')));
}

export const statusCodec = lazyStatusCodec(schemaModel);

export const ANSWER_CONTEXT: AnswerContext = {
  statusCodec,
  logFailure: () => undefined,
};

/** A GET that says nothing of itself but this. */
export function requestHead(members: Partial<RequestHead> = {}): RequestHead {
  return {
    method: 'get',
    url: '/',
    path: '/',
    query: undefined,
    host: '',
    accept: '',
    acceptEncoding: '',
    ifNoneMatch: '',
    authorization: '',
    contentType: '',
    contentLength: '',
    userAgent: '',
    auditId: '',
    upgrade: undefined,
    impersonation: undefined,
    isExact: false,
    isChunked: false,
    flaw: '',
    ...members,
  };
}
