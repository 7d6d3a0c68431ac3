/** Shows an operation to admission, before it is done (src/admission/README.md#proposals). */
import { Proposal } from '../../admission/proposal.ts';
import type { AdmissionOperation, ProposedForms } from '../../admission/proposal.ts';
import { WAITING_REQUEST_MS_MAX } from '../../limits.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { StatusError } from '../../semantics/errors/status.ts';
import { userText } from '../../semantics/user.ts';
import type { OperationRequest } from '../operation.ts';

export interface AskedOperation {
  readonly operation: AdmissionOperation;
  /** The group of the type that the path names, which has no other version. */
  readonly group: string;
  readonly version: string;
  readonly forms: ProposedForms;
  readonly object: ApiObject;
  readonly dryRun: boolean;
  /** Gives the options of the request as a document. */
  readonly options?: () => object;
}

type Asking = Pick<OperationRequest, 'admission' | 'route' | 'context' | 'exchange' | 'user'>;

/** Resolves with the object as those leave it. Rejects with what it is refused with. */
export async function admitted(request: Asking, asked: AskedOperation): Promise<ApiObject> {
  const { route, context, exchange, user, admission } = request;
  const { namespace, name } = route;
  const { operation, group, object, options } = asked;
  const [type = '', subresource = ''] = route.operation.split('/');
  const [resource = ''] = type.split('.');
  const write = { operation, group, resource, subresource };
  const proposal = new Proposal({
    ...write,
    version: asked.version,
    forms: asked.forms,
    namespace,
    name: name || (object.metadata.name ?? ''),
    user: userText(user),
    dryRun: asked.dryRun,
    options,
    object,
    oldObject: undefined,
    deadlineMs: performance.now() + WAITING_REQUEST_MS_MAX,
  });
  const interest = admission.interestIn(write);
  try {
    await interest.admit(proposal);
    await interest.validate(proposal);
    context.times?.passed('admission');
  } catch (error) {
    if (error instanceof StatusError) exchange.warn(proposal.warnings ?? []);
    proposal.settle(false);
    throw error;
  } finally {
    const { annotations, webhookMs } = proposal;
    const told = annotations === undefined ? {} : { annotations: Object.fromEntries(annotations) };
    context.told({ webhookMs, ...told });
  }
  exchange.warn(proposal.warnings ?? []);
  return proposal.object ?? object;
}

/** The options of a connection to a pod, service or node, as they are asked for in its query. */
export async function admittedConnection<Options extends object>(
  request: Asking,
  kind: string,
  options: Options,
): Promise<Options> {
  const [resource = ''] = request.route.operation.split('/');
  const groupVersion = 'v1';
  const forms: ProposedForms = {
    kind,
    groupVersion,
    versions: [{ group: '', resource, groupVersion }],
    // Options have no metadata.
    text: ({ metadata: _metadata, ...members }) =>
      JSON.stringify({ kind, apiVersion: groupVersion, ...members }),
    read: (text) => {
      const { kind: _kind, apiVersion: _version, ...members } = JSON.parse(text) as ApiObject;
      return { ...members, metadata: {} };
    },
    strictProblems: () => [],
    // They are sent in a query, and have no schema that could be applied to.
    fieldTypes: () => undefined,
  };
  const object = await admitted(request, {
    operation: 'CONNECT',
    group: '',
    version: 'v1',
    forms,
    object: { ...options, metadata: {} },
    dryRun: false,
  });
  return object as unknown as Options;
}
