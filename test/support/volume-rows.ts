/** How claims, volumes and ingresses are admitted with what is on by default. */
import { CORE, create, namespace, patch, remove, without } from './admission-rows.ts';
import type { AdmissionRow, Refusal } from './admission-rows.ts';

const STORAGE_CLASSES = '/apis/storage.cluster.io/v1/storageclasses';
const CLAIMS = `${CORE}/namespaces/volumes/persistentvolumeclaims`;
const VOLUMES = `${CORE}/persistentvolumes`;
const INGRESSES = '/apis/networking.cluster.io/v1/namespaces/volumes/ingresses';
const INGRESS_CLASSES = '/apis/networking.cluster.io/v1/ingressclasses';
const IS_DEFAULT_CLASS = 'storageclass.cluster.io/is-default-class';
const IS_DEFAULT_INGRESS = 'ingressclass.cluster.io/is-default-class';

const storageClass = (name: string, grows: boolean, annotations: object = {}): AdmissionRow =>
  create(`class ${name}`, STORAGE_CLASSES, {
    metadata: { name, annotations },
    provisioner: 'example.com/disks',
    allowVolumeExpansion: grows,
  });

const claim = (name: string, members: object = {}, annotations: object = {}) => ({
  metadata: { name, annotations },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...members },
});

const sized = (storage: string) => ({ spec: { resources: { requests: { storage } } } });

const volume = {
  metadata: { name: 'admission-volume' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: '/tmp/x' },
    persistentVolumeReclaimPolicy: 'Retain',
  },
};

const ingress = (name: string, members: object = {}, annotations: object = {}) => ({
  metadata: { name, annotations },
  spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } }, ...members },
});

const bind = (name: string): AdmissionRow =>
  patch(`claim ${name} is bound`, `${CLAIMS}/${name}/status`, { status: { phase: 'Bound' } });

const HELD = { metadata: { finalizers: ['cluster.io/pvc-protection'] } };
const NOT_RESIZABLE =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc ' +
  'must support resize';

function claimRefused(name: string, why: string): Refusal {
  return [403, `persistentvolumeclaims "${name}" is forbidden: ${why}`];
}

/** With the plugins that are on by default. */
export const VOLUME_ROWS: readonly AdmissionRow[] = [
  namespace('volumes'),
  without(create('no class is the default', CLAIMS, claim('none'), HELD), 'spec.storageClassName'),
  storageClass('grows', true, { [IS_DEFAULT_CLASS]: 'true' }),
  storageClass('fixed', false, { [IS_DEFAULT_CLASS]: 'false' }),
  create('the default', CLAIMS, claim('some'), { ...HELD, spec: { storageClassName: 'grows' } }),
  create('another', CLAIMS, claim('fixed', { storageClassName: 'fixed' }), {
    spec: { storageClassName: 'fixed' },
  }),
  create('none on purpose', CLAIMS, claim('empty', { storageClassName: '' }), {
    spec: { storageClassName: '' },
  }),
  without(
    create(
      'by the old annotation',
      CLAIMS,
      claim('old', {}, { 'volume.beta.cluster.io/storage-class': 'fixed' }),
    ),
    'spec.storageClassName',
  ),
  create(
    'a generated name',
    CLAIMS,
    {
      ...claim(''),
      metadata: { generateName: 'made-', finalizers: ['example.com/x'] },
    },
    {
      metadata: { finalizers: ['example.com/x', 'cluster.io/pvc-protection'] },
      spec: { storageClassName: 'grows' },
    },
  ),
  patch('a claim that is not bound does not grow', `${CLAIMS}/some`, sized('2Gi'), [422]),
  ...['some', 'fixed', 'empty', 'old'].map(bind),
  patch('it grows', `${CLAIMS}/some`, sized('2Gi')),
  patch(
    'its class is fixed',
    `${CLAIMS}/fixed`,
    sized('2Gi'),
    claimRefused('fixed', NOT_RESIZABLE),
  ),
  patch('it has no class', `${CLAIMS}/empty`, sized('2Gi'), claimRefused('empty', NOT_RESIZABLE)),
  patch('by the annotation', `${CLAIMS}/old`, sized('2Gi'), claimRefused('old', NOT_RESIZABLE)),
  patch('the class lets them grow', `${STORAGE_CLASSES}/fixed`, { allowVolumeExpansion: true }),
  patch('now it grows', `${CLAIMS}/fixed`, sized('2Gi')),
  patch('a second default', `${STORAGE_CLASSES}/fixed`, {
    metadata: { annotations: { [IS_DEFAULT_CLASS]: 'true' } },
  }),
  create(
    'which one',
    CLAIMS,
    claim('two'),
    claimRefused('two', 'Internal error occurred: 2 default StorageClasses were found'),
  ),
  create(
    'which one, generated',
    CLAIMS,
    { ...claim(''), metadata: { generateName: 'two-' } },
    claimRefused('two-', 'Internal error occurred: 2 default StorageClasses were found'),
  ),
  create(
    'which one, without a name',
    CLAIMS,
    { spec: claim('').spec },
    claimRefused('Unknown', 'Internal error occurred: 2 default StorageClasses were found'),
  ),
  remove('one of them', `${STORAGE_CLASSES}/grows`),
  create('the other', CLAIMS, claim('other'), { spec: { storageClassName: 'fixed' } }),
  remove('the other class', `${STORAGE_CLASSES}/fixed`),
  remove('a claim', `${CLAIMS}/some`, { metadata: { name: 'some' } }),
  create('a volume', VOLUMES, volume, { metadata: { finalizers: ['cluster.io/pv-protection'] } }),
  create('an ingress without class', INGRESSES, ingress('none')),
  create('class one', INGRESS_CLASSES, {
    metadata: { name: 'one', annotations: { [IS_DEFAULT_INGRESS]: 'true' } },
    spec: { controller: 'example.com/web' },
  }),
  create('the default class', INGRESSES, ingress('some'), { spec: { ingressClassName: 'one' } }),
  create('its own', INGRESSES, ingress('own', { ingressClassName: 'x' }), {
    spec: { ingressClassName: 'x' },
  }),
  without(
    create('by annotation', INGRESSES, ingress('old', {}, { 'cluster.io/ingress.class': 'x' })),
    'spec.ingressClassName',
  ),
  create('class two', INGRESS_CLASSES, {
    metadata: { name: 'two', annotations: { [IS_DEFAULT_INGRESS]: 'true' } },
    spec: { controller: 'example.com/web' },
  }),
  create('which class', INGRESSES, ingress('two'), [
    403,
    'ingresses.networking.cluster.io "two" is forbidden: Internal error occurred: ' +
      '2 default IngressClasses were found, only 1 allowed',
  ]),
  remove('class two', `${INGRESS_CLASSES}/two`),
  remove('class one', `${INGRESS_CLASSES}/one`),
];
