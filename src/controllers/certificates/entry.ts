/** Approves, signs and removes requests for certificates (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

const REQUESTS = 'certificatesigningrequests.certificates.cluster.io';

const ROLES = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map(
  (plural) => `${plural}.rbac.authorization.cluster.io`,
);

export const csrApproving: ControllerEntry = {
  concerns: oneOf(REQUESTS, ...ROLES),
  run: async (ports, { authorization, answered, logError }) => {
    const { approveNodes } = await import('./approving.ts');
    const { LateAuthorizer } = await import('./late-authorizer.ts');
    const { Authorization } = await import('../../auth/authorization.ts');
    const loaded = await Authorization.load(authorization);
    const given = { authorization: loaded, answered, logError };
    const authorizer = new LateAuthorizer(ports, given);
    await approveNodes(ports, { authorizer, logError });
    authorizer.close();
  },
};

export const csrSigning: ControllerEntry = {
  concerns: oneOf(REQUESTS),
  run: async (ports, { signing, nowMs, logError }) => {
    const { signApprovedRequests } = await import('./signing.ts');
    await signApprovedRequests(ports, { signing, nowMs, logError });
  },
};

export const csrCleaner: ControllerEntry = {
  concerns: oneOf(REQUESTS),
  run: async (ports, { nowMs, logError }) => {
    const { removeInTime } = await import('../timed-removal.ts');
    const { requestEndMs: endMs } = await import('./request-end.ts');
    const account = 'certificate-controller';
    await removeInTime(ports, { resource: REQUESTS, account, endMs, nowMs, logError });
  },
};
