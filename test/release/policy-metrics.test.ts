/** Metrics of policies in the last release in which they told a state. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const GROUP = '/apis/admissionregistration.cluster.io/v1';

t.test('checks are told by their state, not by errors', async (t) => {
  const server = await startServer({ test: t, args: ['--release=1.30'] });
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ];
  const validations = [{ expression: "object.metadata.name != 'no'" }];
  const spec = { matchConstraints: { resourceRules }, validations };
  const metadata = { name: 'named' };
  await server.post(`${GROUP}/validatingadmissionpolicies`, { metadata, spec });
  await server.post(`${GROUP}/validatingadmissionpolicybindings`, {
    metadata,
    spec: { policyName: 'named', validationActions: ['Deny'] },
  });
  const maps = '/api/v1/namespaces/default/configmaps';
  const { status } = await server.post(maps, { metadata: { name: 'no' } });
  t.equal(status, 422);
  const labels = 'enforcement_action="deny",policy="named",policy_binding="named",state="active"';
  const name = 'apiserver_validating_admission_policy_check_total';
  await until(async () => (await server.get('/metrics')).text.includes(`${name}{${labels}} 1`));
  const { text } = await server.get('/metrics');
  t.ok(text.includes(`# HELP ${name} [ALPHA] `));
  t.ok(text.includes('apiserver_validating_admission_policy_check_duration_seconds_count{'));
});
