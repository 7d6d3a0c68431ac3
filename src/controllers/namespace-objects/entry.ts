/** Keeps objects in each namespace (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const serviceAccount: ControllerEntry = {
  concerns: oneOf('namespaces', 'serviceaccounts'),
  run: async (ports, { logError }) => {
    const { NamespaceObjects } = await import('./namespace-objects.ts');
    // Changes of the account are its users' business.
    const object = { resource: 'serviceaccounts', name: 'default', wanted: {} };
    const kept = { ...object, account: 'service-account-controller', mend: () => undefined };
    await new NamespaceObjects(ports, kept, logError).run();
  },
};

export const rootCaCertPublisher: ControllerEntry = {
  concerns: oneOf('namespaces', 'configmaps'),
  run: async (ports, { endpoint: { trusted }, logError }) => {
    const { NamespaceObjects } = await import('./namespace-objects.ts');
    const { rootCertificates } = await import('./root-certificates.ts');
    await new NamespaceObjects(ports, rootCertificates(trusted), logError).run();
  },
};
