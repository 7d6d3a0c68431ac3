/** What a server of etcd's protocol offers, to be filled with handlers. */
import type { Server, ServerDuplexStream, ServiceError } from '@grpc/grpc-js';
import { etcdCodecs } from '../../../../src/etcd/messages.ts';
import type { Codec, MessageName } from '../../../../src/etcd/messages.ts';
import { ETCD_MESSAGES } from '../messages.ts';

const CODECS = etcdCodecs(ETCD_MESSAGES);

/** A call as it comes in. */
export interface Received {
  readonly message: unknown;
  /** The length of the message. */
  readonly bytes: number;
  /** Whether it is to fail where there is no leader. */
  readonly requiresLeader: boolean;
}

type Unary = (received: Received) => Promise<object>;
export type Duplex = ServerDuplexStream<unknown, object>;

/** Has `handler` answer one method; an error that it throws is the answer. */
export function addUnary(
  server: Server,
  path: string,
  [request, response]: readonly [MessageName, MessageName],
  handler: Unary,
): void {
  const read: Codec = {
    encode: CODECS[request].encode,
    decode: (bytes) => ({ message: CODECS[request].decode(bytes), bytes: bytes.length }),
  };
  server.addService(
    { call: methodOf(path, read, CODECS[response], false) },
    {
      call: (
        call: { request: Received; metadata: { get(name: string): unknown[] } },
        callback: (error: ServiceError | null, answer?: object) => void,
      ) => {
        const requiresLeader = call.metadata.get('hasleader')[0] === 'true';
        handler({ ...call.request, requiresLeader }).then(
          (answer) => callback(null, answer),
          (error: unknown) => callback(error as ServiceError),
        );
      },
    },
  );
}

/** Has `handler` answer one method of streams both ways. */
export function addDuplex(
  server: Server,
  path: string,
  [request, response]: readonly [MessageName, MessageName],
  handler: (call: Duplex) => void,
): void {
  server.addService(
    { call: methodOf(path, CODECS[request], CODECS[response], true) },
    { call: handler },
  );
}

function methodOf(path: string, request: Codec, response: Codec, isStream: boolean) {
  return {
    path: `/etcdserverpb.${path}`,
    requestStream: isStream,
    responseStream: isStream,
    requestSerialize: request.encode,
    requestDeserialize: request.decode,
    responseSerialize: response.encode,
    responseDeserialize: response.decode,
  };
}
