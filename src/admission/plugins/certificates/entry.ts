/** Plugins about requests for certificates, as the list has them (src/admission/README.md). */
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import type { PluginEntry } from '../../plugin.ts';
import type { ProposedWrite } from '../../proposal.ts';

export const certificateApproval = {
  isOnByDefault: true,
  concerns: (write) => updatesRequest(write, 'approval'),
  load: async (context) => {
    const { CertificateApproval } = await import('./approval.ts');
    return new CertificateApproval(context);
  },
} as const satisfies PluginEntry;

export const certificateSigning = {
  isOnByDefault: true,
  concerns: (write) => updatesRequest(write, 'status'),
  load: async (context) => {
    const { CertificateSigning } = await import('./signing.ts');
    return new CertificateSigning(context);
  },
} as const satisfies PluginEntry;

export const certificateSubjectRestriction = {
  isOnByDefault: true,
  concerns: (write) => write.operation === 'CREATE' && isSigningRequest(write, ''),
  load: async () => (await import('./subject-restriction.ts')).CERTIFICATE_SUBJECT_RESTRICTION,
} as const satisfies PluginEntry;

/** A request for a certificate, or a part of one. */
function isSigningRequest({ group, resource, subresource }: ProposedWrite, part: string): boolean {
  return (
    resource === 'certificatesigningrequests' &&
    subresource === part &&
    group === ownGroup('certificates.cluster.io')
  );
}

function updatesRequest(write: ProposedWrite, part: string): boolean {
  return write.operation === 'UPDATE' && isSigningRequest(write, part);
}
