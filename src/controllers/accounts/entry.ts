/** Gives accounts their tokens (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const serviceAccountToken: ControllerEntry = {
  concerns: oneOf('serviceaccounts', 'secrets'),
  run: async (ports, { endpoint: { trusted }, tokens, featureGates, logError }) => {
    const { AccountTokens } = await import('./account-tokens.ts');
    const { ServiceAccountTokens } = await import('../../auth/service-account-tokens.ts');
    const signer = new ServiceAccountTokens(tokens);
    const issue = signer.issueLegacy.bind(signer);
    const makesTokens = !featureGates.has('LegacyServiceAccountTokenNoAutoGeneration');
    const options = { authority: trusted, issue, makesTokens, logError };
    await new AccountTokens(ports, options).run();
  },
};

export const legacyTokenCleaner: ControllerEntry = {
  concerns: oneOf('configmaps', 'secrets', 'serviceaccounts', 'pods'),
  needs: 'LegacyServiceAccountTokenCleanUp',
  run: async (ports, { legacyTokensPeriodMs: periodMs, nowMs, logError }) => {
    const { LegacyTokens } = await import('./legacy-tokens.ts');
    await new LegacyTokens(ports, { periodMs, nowMs, logError }).run();
  },
};
