/** Definitions with a conversion webhook, and their objects, as tests of conversion make them. */
import type { ConversionWebhook, WAYS } from './conversion-webhook.ts';
import { until } from './owned-objects.ts';
import type { Members } from './kinds.ts';
import type { Answer, Server } from './server.ts';

const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const GROUP = 'flow.example.com';
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const TEXT = { type: 'string' };

type Way = keyof typeof WAYS;

interface Clients {
  readonly url?: string;
  readonly service?: Members;
  readonly caBundle?: string;
}

function version(name: string, storage: boolean, spec: Members): Members {
  const properties = { spec: { type: 'object', properties: spec }, status: ANYTHING };
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties } },
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
  };
}

/** `v1` is stored unless it is said otherwise. */
function versions(stored: string, warning = 'use v2'): Members[] {
  const replicas = { type: 'integer' };
  const size = { type: 'string', default: 'big' };
  return [
    version('v1', stored === 'v1', { hostPort: TEXT, size, replicas }),
    version('v2', stored === 'v2', { host: TEXT, port: TEXT, size: TEXT, replicas }),
    {
      ...version('v3', stored === 'v3', { host: TEXT, port: TEXT, size: TEXT, replicas }),
      deprecated: true,
      deprecationWarning: warning,
    },
  ];
}

export function kindOf(plural: string): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1, -1);
}

export function conversionCases(server: Server, webhook: ConversionWebhook) {
  const clientOf = (way: Way): Clients => ({
    url: webhook.url(way),
    caBundle: webhook.caBundle,
  });
  const path = (plural: string, version: string, name = ''): string =>
    `/apis/${GROUP}/${version}/namespaces/default/${plural}${name === '' ? '' : `/${name}`}`;
  const definitionPath = (plural: string): string => `${DEFINITIONS}/${plural}.${GROUP}`;
  const merge = (at: string, change: unknown): Promise<Answer> =>
    server.request('PATCH', at, JSON.stringify(change), {
      'content-type': 'application/merge-patch+json',
    });
  const objectOf = (plural: string, version: string, name: string, spec: Members): Members => ({
    apiVersion: `${GROUP}/${version}`,
    kind: kindOf(plural),
    metadata: { name },
    spec,
  });
  let changes = 0;
  /** Resolves when the type is served as it is defined then: it is told by a warning. */
  const change = async (plural: string, stored: string, spec: Members): Promise<void> => {
    const warning = `change ${++changes}`;
    const changed = await merge(definitionPath(plural), {
      spec: { versions: versions(stored, warning), ...spec },
    });
    if (changed.status !== 200) throw new Error(changed.text);
    await until(async () => {
      const { headers } = await server.get(path(plural, 'v3', 'none'));
      return String(headers['warning']).includes(warning);
    });
  };
  return {
    path,
    definitionPath,
    merge,
    objectOf,

    /** Resolves when the type is served. */
    async define(plural: string, client: Clients = clientOf('right')): Promise<void> {
      const conversionReviewVersions = ['v1', 'v1beta1'];
      const created = await server.post(DEFINITIONS, {
        apiVersion: 'apiextensions.cluster.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${GROUP}` },
        spec: {
          group: GROUP,
          scope: 'Namespaced',
          names: { plural, kind: kindOf(plural) },
          versions: versions('v1'),
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: client, conversionReviewVersions },
          },
        },
      });
      if (created.status !== 201) throw new Error(created.text);
      await until(async () => (await server.get(path(plural, 'v1'))).status === 200);
    },

    /** Has a webhook asked that behaves so, or is there. */
    async configure(
      plural: string,
      way: Way | Clients,
      conversionReviewVersions: readonly string[] = ['v1', 'v1beta1'],
      stored = 'v1',
    ): Promise<void> {
      const client = typeof way === 'string' ? clientOf(way) : way;
      const clientConfig = { url: null, service: null, caBundle: null, ...client };
      await change(plural, stored, {
        conversion: { webhook: { clientConfig, conversionReviewVersions } },
      });
    },

    /** Has another version stored from now on. */
    async store(plural: string, version: string): Promise<void> {
      await change(plural, version, {});
    },

    async make(plural: string, version: string, name: string, spec: Members): Promise<Answer> {
      return server.post(path(plural, version), objectOf(plural, version, name, spec));
    },
  };
}
