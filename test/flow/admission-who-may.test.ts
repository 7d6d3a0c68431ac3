/** Certificates, agents, owners and namespaces: what admission lets whom write, over HTTP. */
import t from 'tap';
import { agentSteps } from '../support/admission-agent-steps.ts';
import { certificateSteps } from '../support/admission-certificate-steps.ts';
import { customOwnerSteps, namespaceSteps, ownerSteps } from '../support/admission-owner-steps.ts';
import { StepRunner } from '../support/admission-steps.ts';
import type { Step } from '../support/admission-steps.ts';
import { customDefinition, established } from '../support/custom-types.ts';
import { startServer } from '../support/server.ts';

const ON_REQUEST = 'NodeRestriction,OwnerReferencesPermissionEnforcement';

const server = await startServer({
  test: t,
  args: [
    '--authorization-mode=RBAC',
    `--enable-admission-plugins=${ON_REQUEST}`,
    // All others are on: pods are to need no account.
    '--disable-admission-plugins=ServiceAccount',
  ],
});

await established(server, customDefinition('a.com', 'Thing'));

const ALL: Readonly<Record<string, readonly Step[]>> = {
  namespaces: namespaceSteps(),
  certificates: await certificateSteps(),
  agents: agentSteps(),
  owners: ownerSteps(),
  'custom owners': customOwnerSteps(),
};

for (const [what, steps] of Object.entries(ALL)) {
  t.test(what, async (t) => {
    const runner = new StepRunner(server);
    for (const step of steps) t.same(await runner.run(step), runner.expected(step), step.what);
  });
}
