/** Looks at requests for certificates that somebody still has to do something about. */
import type {
  CertificateSigningRequest,
  CertificateSigningRequestSpec,
} from '#messages/certificates.v1';
import { readSigningRequest } from '../../auth/signing-request.ts';
import type { SigningRequest } from '../../auth/signing-request.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import { controllerAccount } from '../controller-account.ts';
import { Informer, keyOf, nameOf } from '../informer.ts';
import { portOf, runController } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';

const REQUESTS = 'certificatesigningrequests.certificates.cluster.io';

/** A request that was parsed and not decoded: `extra` has the lists themselves. */
export type ParsedRequest = Omit<CertificateSigningRequest, 'spec'> & {
  spec?: Omit<CertificateSigningRequestSpec, 'extra'> & { extra?: Record<string, string[]> };
};

export interface OpenRequestsOptions {
  /** Whether a request that has no certificate is to be looked at. */
  readonly isOpen: (request: ParsedRequest) => boolean;
  /** Writes with the client what becomes of it; what it rejects with is tried again. */
  readonly handle: (
    request: ParsedRequest,
    asked: SigningRequest,
    client: ShardObjects,
  ) => Promise<void>;
  readonly logError: (text: string) => void;
}

/** Resolves when it was told to stop. */
export async function handleOpenRequests(
  ports: Ports,
  { isOpen, handle, logError }: OpenRequestsOptions,
): Promise<void> {
  const informer = new Informer<ParsedRequest | undefined>({
    resource: REQUESTS,
    port: portOf(ports, REQUESTS),
    writer: controllerAccount('certificate-controller'),
    keep: (object: ParsedRequest) => {
      const isToDo = (object.status?.certificate ?? '') === '' && isOpen(object);
      return isToDo ? object : undefined;
    },
    onChange: (at, request) => {
      if (request !== undefined) queue.add(keyOf(at));
    },
  });
  const queue = new WorkQueue({
    name: 'certificate',
    work: async (key) => {
      const request = informer.get(nameOf(key));
      if (request === undefined) return;
      const asked = await readRequest(request, logError);
      if (asked !== undefined) await handle(request, asked, informer.client);
    },
    timers: SYSTEM_TIMERS,
    logError,
  });
  await informer.start();
  await runController(ports, { begin: () => undefined, stop: () => queue.stop() });
  informer.close();
}

/** Reads a request. An unreadable one is not tried again: it says the same then. */
async function readRequest(
  { metadata, spec }: ParsedRequest,
  logError: (text: string) => void,
): Promise<SigningRequest | undefined> {
  try {
    return await readSigningRequest(Buffer.from(spec?.request ?? '', 'base64').toString());
  } catch (error) {
    logError(`${metadata.name}: ${(error as Error).message}`);
    return undefined;
  }
}
