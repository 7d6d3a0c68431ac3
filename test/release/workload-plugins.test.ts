/** PodGroupWorkloadExists and JobValidation, which one release alone has. */
import t from 'tap';
import { startServer } from '../support/server.ts';

const GATES = '--feature-gates=GenericWorkload=true';
const SERVED = '--runtime-config=scheduling.cluster.io/v1alpha2=true';
const GROUP = '/apis/scheduling.cluster.io/v1alpha2/namespaces/default';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const MERGE = { 'content-type': 'application/merge-patch+json' };

const server = await startServer({ test: t, args: ['--release=1.36', GATES, SERVED] });

const GANG = { gang: { minCount: 2 } };

function group(name: string, spec: object = {}, metadata: object = {}) {
  return { metadata: { name, ...metadata }, spec: { schedulingPolicy: GANG, ...spec } };
}

function job(name: string, podGroupName?: string) {
  const spec = {
    restartPolicy: 'Never',
    containers: [{ name: 'a', image: 'a' }],
    ...(podGroupName !== undefined && { schedulingGroup: { podGroupName } }),
  };
  return { metadata: { name }, spec: { parallelism: 2, completions: 9, template: { spec } } };
}

async function made(path: string, object: object) {
  const answer = await server.post(path, object);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

async function widened(name: string) {
  const patch = { spec: { parallelism: 3 } };
  const { status, json } = await server.request('PATCH', `${JOBS}/${name}`, patch, MERGE);
  return status === 200 ? '' : json.message;
}

t.test('a group is made from a template that there is', async (t) => {
  const podGroupTemplates = [{ name: 'workers', schedulingPolicy: GANG }];
  await made(`${GROUP}/workloads`, { metadata: { name: 'train' }, spec: { podGroupTemplates } });
  const of = (workloadName: string, podGroupTemplateName: string) =>
    server.post(
      `${GROUP}/podgroups`,
      group('made', {
        podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } },
      }),
    );
  const told = 'podgroups.scheduling.cluster.io "made" is forbidden: PodGroup rejected: ';
  t.match(await of('none', 'workers'), {
    status: 403,
    json: { message: `${told}Workload "none" not found` },
  });
  t.match(await of('train', 'drivers'), {
    status: 403,
    json: { message: `${told}PodGroupTemplate "drivers" not found in Workload "train"` },
  });
  const answer = await of('train', 'workers');
  t.equal(answer.status, 201, answer.text);
});

t.test('the parallelism of a job stays that is scheduled as a gang', async (t) => {
  const told = (name: string, of: string): string =>
    `jobs.batch "${name}" is forbidden: cannot change parallelism for a Job referencing ` +
    `gang-scheduled PodGroup "${of}"`;
  await made(`${GROUP}/podgroups`, group('gang'));
  await made(JOBS, job('named', 'gang'));
  t.equal(await widened('named'), told('named', 'gang'));
  await made(JOBS, job('lonely', 'nobody'));
  t.equal(await widened('lonely'), '');
  const { metadata } = await made(JOBS, job('owner'));
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'owner', uid: metadata.uid };
  const ownerReferences = [{ ...owner, controller: true }];
  await made(`${GROUP}/podgroups`, group('owned', {}, { ownerReferences }));
  t.equal(await widened('owner'), told('owner', 'owned'));
});

t.test('jobs change where no groups are served', async (t) => {
  const other = await startServer({ test: t, args: ['--release=1.36', GATES] });
  t.equal((await other.post(JOBS, job('plain'))).status, 201);
  const patch = { spec: { parallelism: 3 } };
  t.equal((await other.request('PATCH', `${JOBS}/plain`, patch, MERGE)).status, 200);
});
