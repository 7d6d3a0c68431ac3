/** Checks the types of expressions in policies (src/controllers/README.md#types-in-policies). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const policyStatus: ControllerEntry = {
  concerns: oneOf(
    'validatingadmissionpolicies.admissionregistration.cluster.io',
    'customresourcedefinitions.apiextensions.cluster.io',
  ),
  needs: 'ValidatingAdmissionPolicy',
  run: async (ports, { loadModel, logError }) => {
    const { reportPolicies } = await import('./policy-status.ts');
    await reportPolicies(ports, loadModel, logError);
  },
};
