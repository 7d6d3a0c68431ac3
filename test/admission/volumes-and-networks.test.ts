/** Classes that are defaults, volumes in use, claims that grow, external addresses. */
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { PLUGINS } from '../../src/admission/plugins.ts';
import { DefaultIngressClass } from '../../src/admission/plugins/classes/default-ingress-class.ts';
import { DefaultStorageClass } from '../../src/admission/plugins/classes/default-storage-class.ts';
import { DENY_SERVICE_EXTERNAL_IPS } from '../../src/admission/plugins/services/deny-service-external-ips.ts';
import { PersistentVolumeClaimResize } from '../../src/admission/plugins/volumes/persistent-volume-claim-resize.ts';
import { STORAGE_OBJECT_IN_USE_PROTECTION } from '../../src/admission/plugins/volumes/storage-object-in-use-protection.ts';
import type { Proposal } from '../../src/admission/proposal.ts';
import { admissionContext, proposed, verdict } from '../support/proposals.ts';

const A_CLASS = 'storageclass.cluster.io/is-default-class';
const BETA_CLASS = 'storageclass.beta.cluster.io/is-default-class';

function claim(spec: object = {}, annotations: Record<string, string> = {}) {
  return { metadata: { name: 'claim', namespace: 'a', annotations }, spec };
}

function specOf({ object }: Proposal): Record<string, unknown> {
  return (object?.['spec'] ?? {}) as Record<string, unknown>;
}

t.test('a claim without a class gets the default one', async (t) => {
  const context = admissionContext();
  const plugin = new DefaultStorageClass(context);
  const put = (name: string, mark: string, value = 'true'): void =>
    context.fed.putObject('storageclasses', { metadata: { name, annotations: { [mark]: value } } });
  const classOf = (object: ReturnType<typeof claim>): unknown => {
    const proposal = proposed('CREATE - persistentvolumeclaims', { object });
    const said = verdict(plugin, proposal);
    return said ?? specOf(proposal)['storageClassName'];
  };
  put('slow', A_CLASS, 'false');
  t.equal(classOf(claim()), undefined, 'there is none');
  put('fast', A_CLASS);
  t.equal(classOf(claim()), 'fast');
  t.equal(classOf(claim({ storageClassName: 'slow' })), 'slow');
  t.equal(classOf(claim({ storageClassName: '' })), '', 'none, on purpose');
  t.equal(classOf(claim({}, { 'volume.beta.cluster.io/storage-class': 'x' })), undefined);
  put('old', BETA_CLASS);
  t.equal(
    classOf(claim()),
    '403 persistentvolumeclaims "claim" is forbidden: ' +
      'Internal error occurred: 2 default StorageClasses were found',
  );
  context.fed.remove('storageclasses', '', 'fast');
  t.equal(classOf(claim()), 'old');
});

t.test('an ingress without a class gets the default one', async (t) => {
  const context = admissionContext();
  const plugin = new DefaultIngressClass(context);
  const put = (name: string): void => {
    const annotations = { 'ingressclass.cluster.io/is-default-class': 'true' };
    context.fed.putObject('ingressclasses', { metadata: { name, annotations } });
  };
  const classOf = (spec: object, annotations: Record<string, string> = {}): unknown => {
    const object = { metadata: { generateName: 'in-', annotations }, spec };
    const proposal = proposed('CREATE networking.cluster.io ingresses', { object });
    const said = verdict(plugin, proposal);
    return said ?? specOf(proposal)['ingressClassName'];
  };
  t.equal(classOf({}), undefined);
  put('one');
  t.equal(classOf({}), 'one');
  t.equal(classOf({ ingressClassName: 'own' }), 'own');
  t.equal(classOf({}, { 'cluster.io/ingress.class': '' }), undefined);
  put('two');
  t.equal(
    classOf({}),
    '403 ingresses.networking.cluster.io "in-" is forbidden: ' +
      'Internal error occurred: 2 default IngressClasses were found, only 1 allowed',
  );
});

t.test('volumes and claims get their finalizer once, when they are made', async (t) => {
  const finalizers = (resource: string, given?: string[]): unknown => {
    const object = { metadata: { name: 'x', ...(given && { finalizers: given }) } };
    const proposal = proposed(`CREATE - ${resource}`, { object });
    t.equal(verdict(STORAGE_OBJECT_IN_USE_PROTECTION, proposal), undefined);
    return proposal.object?.metadata.finalizers;
  };
  t.same(finalizers('persistentvolumes'), ['cluster.io/pv-protection']);
  t.same(finalizers('persistentvolumeclaims', ['a/b']), ['a/b', 'cluster.io/pvc-protection']);
  const there = ['cluster.io/pvc-protection', 'a/b'];
  t.same(finalizers('persistentvolumeclaims', there), there);
});

t.test('a bound claim grows where its class says so', async (t) => {
  const context = admissionContext();
  const plugin = new PersistentVolumeClaimResize(context);
  const put = (name: string, allowVolumeExpansion?: boolean): void =>
    context.fed.putObject('storageclasses', { metadata: { name }, allowVolumeExpansion });
  put('growing', true);
  put('fixed', false);
  put('silent');
  const sized = (storage: string | undefined, storageClassName?: string, phase = 'Bound') => ({
    ...claim({ storageClassName, resources: { requests: { storage } } }),
    status: { phase },
  });
  const resized = (
    from: string | undefined,
    to: string | undefined,
    name?: string,
    phase = 'Bound',
  ): string | undefined => {
    const [oldObject, object] = [sized(from, name, phase), sized(to, name, phase)];
    const facts = { object, oldObject };
    return verdict(plugin, proposed('UPDATE - persistentvolumeclaims', facts));
  };
  const refused = '403 persistentvolumeclaims "claim" is forbidden: ';
  const notResizable =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions ' +
    'the pvc must support resize';
  t.equal(resized('1Gi', '2Gi', 'growing'), undefined);
  t.equal(resized('1Gi', '1024Mi', 'fixed'), undefined, 'the same');
  t.equal(resized('2Gi', '1Gi', 'fixed'), undefined, 'smaller: that is for others to refuse');
  t.equal(resized('1Gi', '2Gi', 'fixed'), refused + notResizable);
  t.equal(resized('1Gi', '2Gi', 'silent'), refused + notResizable);
  t.equal(resized(undefined, '2Gi', 'gone'), refused + notResizable);
  t.equal(resized('1Gi', '2Gi'), refused + notResizable, 'no class');
  t.equal(
    resized('1Gi', '2Gi', 'growing', 'Pending'),
    `${refused}Only bound persistent volume claims can be expanded`,
  );
});

t.test('a service gets no new external address', async (t) => {
  const service = (externalIPs?: string[]) => ({
    metadata: { name: 'web', namespace: 'a' },
    spec: { ...(externalIPs && { externalIPs }) },
  });
  const written = (now?: string[], before?: string[]): string | undefined => {
    const oldObject = before && service(before);
    const what = `${before ? 'UPDATE' : 'CREATE'} - services`;
    return verdict(DENY_SERVICE_EXTERNAL_IPS, proposed(what, { object: service(now), oldObject }));
  };
  const refused =
    '403 services "web" is forbidden: Use of external IPs is denied by admission control';
  t.equal(written(), undefined);
  t.equal(written(['192.0.2.1']), refused);
  t.equal(written(['192.0.2.1'], []), refused);
  t.equal(written(['192.0.2.1'], ['192.0.2.2', '192.0.2.1']), undefined, 'it has it');
  t.equal(written([], ['192.0.2.1']), undefined);
});

t.test('they look at these writes alone', async (t) => {
  const concerned = (operation: 'CREATE' | 'UPDATE' | 'DELETE', path: string): string[] => {
    const [group = '', resource = '', subresource = ''] = path.split('/');
    const names = Object.keys(PLUGINS).filter((name) => THESE.includes(name));
    return names.filter((name) =>
      PLUGINS[name]?.concerns(
        { operation, group, resource, subresource },
        undefined,
        DEFAULT_GATES,
      ),
    );
  };
  t.same(concerned('CREATE', '/persistentvolumeclaims'), [
    'DefaultStorageClass',
    'StorageObjectInUseProtection',
  ]);
  t.same(concerned('UPDATE', '/persistentvolumeclaims'), ['PersistentVolumeClaimResize']);
  t.same(concerned('UPDATE', '/persistentvolumeclaims/status'), []);
  t.same(concerned('CREATE', '/persistentvolumes'), ['StorageObjectInUseProtection']);
  t.same(concerned('CREATE', 'networking.cluster.io/ingresses'), ['DefaultIngressClass']);
  t.same(concerned('CREATE', 'example.com/ingresses'), []);
  t.same(concerned('UPDATE', '/services'), ['DenyServiceExternalIPs']);
  t.same(concerned('DELETE', '/services'), []);
});

const THESE = [
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'PersistentVolumeClaimResize',
  'DefaultIngressClass',
  'DenyServiceExternalIPs',
];
