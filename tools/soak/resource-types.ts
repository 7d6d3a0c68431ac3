/** The resource types that the soak writes: how their objects are made, and what they carry. */

interface ObjectMeta {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface SoakResource {
  readonly name: string;
  /** The group's path: `/api/v1`. */
  readonly groupPath: string;
  /** The object of this metadata that carries the payload. */
  make(metadata: ObjectMeta, payload: string): unknown;
  /** The payload that an object carries. */
  payloadOf(object: Readonly<Record<string, unknown>>): unknown;
}

const PAYLOAD = 'payload';

export const RESOURCE_NAMES = ['configmaps', 'secrets', 'leases'] as const;
export type ResourceName = (typeof RESOURCE_NAMES)[number];

/** `apiDomain`: what the server's group names end with, `cluster.io` or another. */
export function soakResource(name: ResourceName, apiDomain: string): SoakResource {
  switch (name) {
    case 'configmaps':
      return {
        name,
        groupPath: '/api/v1',
        make: (metadata, payload) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata,
          data: { [PAYLOAD]: payload },
        }),
        payloadOf: ({ data }) => field(data, PAYLOAD),
      };
    case 'secrets':
      return {
        name,
        groupPath: '/api/v1',
        make: (metadata, payload) => ({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata,
          data: { [PAYLOAD]: Buffer.from(payload).toString('base64') },
        }),
        payloadOf: ({ data }) => {
          const text = field(data, PAYLOAD);
          return typeof text === 'string' ? Buffer.from(text, 'base64').toString() : undefined;
        },
      };
    case 'leases':
      return {
        name,
        groupPath: `/apis/coordination.${apiDomain}/v1`,
        make: (metadata, payload) => ({
          apiVersion: `coordination.${apiDomain}/v1`,
          kind: 'Lease',
          metadata,
          spec: { holderIdentity: payload },
        }),
        payloadOf: ({ spec }) => field(spec, 'holderIdentity'),
      };
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
