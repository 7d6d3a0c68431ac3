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
    '--authorization-mode=Node,RBAC',
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

t.test('what the mode for agents lets them do counts', async (t) => {
  const leases = '/apis/coordination.cluster.io/v1/namespaces/cluster-node-lease/leases';
  const runner = new StepRunner(server);
  const as = 'system:node:m';
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'm', uid: 'u' };
  const made = await runner.run({
    what: 'a lease',
    as,
    send: `POST ${leases}`,
    body: { metadata: { name: 'm' } },
    code: 201,
  });
  t.equal(made.code, 201);
  const owned = await runner.run({
    what: 'its owner, which takes the right to delete it',
    as,
    send: `PATCH ${leases}/m`,
    body: { metadata: { ownerReferences: [owner] } },
    code: 200,
  });
  t.same(owned, { code: 200, message: undefined });
});

for (const [what, steps] of Object.entries(ALL)) {
  t.test(what, async (t) => {
    const runner = new StepRunner(server);
    for (const step of steps) t.same(await runner.run(step), runner.expected(step), step.what);
  });
}
