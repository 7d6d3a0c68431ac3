/**
 * A conversion webhook that a test writes: `spec.hostPort` of v1 is `spec.host` and `spec.port` of
 * v2 and v3. Its path says how it behaves (`WAYS`), so that a test changes that with the
 * definition.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Test } from 'tap';
import type { Members } from './kinds.ts';
import { selfSigned } from './self-signed.ts';

export interface ConversionWebhook {
  readonly port: number;
  /** In base64, as definitions have it. */
  readonly caBundle: string;
  /** The reviews that it was sent, in order. */
  readonly reviews: Review[];
  /** The port of each connection that was made. */
  readonly connections: number[];
  url(way?: keyof typeof WAYS): string;
  /** Behaves so from now on, whatever path it is asked at. */
  behave(way: keyof typeof WAYS): void;
  /** Answers what hangs. */
  release(): void;
}

export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: Members[];
  };
}

interface Answered {
  apiVersion?: unknown;
  kind?: unknown;
  response?: Members | undefined;
}

type Way = (answer: Answered & { response: Members }, objects: Members[]) => unknown;

/** Changes what is answered in its place, or gives what is answered instead. */
export const WAYS = {
  right: () => undefined,
  hangs: () => undefined,
  fails: ({ response }) => {
    response['result'] = { status: 'Failure', message: 'these are not the objects' };
  },
  failsSilently: ({ response }) => {
    response['result'] = { status: 'Failure' };
  },
  saysNothing: ({ response }) => {
    delete response['result'];
  },
  otherUid: ({ response }) => {
    response['uid'] = 'other';
  },
  noResponse: (answer) => ({ ...answer, response: undefined }),
  otherReview: (answer) => {
    answer.apiVersion = String(answer.apiVersion).replace(/v1$/, 'v1beta1');
  },
  otherKind: (answer) => {
    answer.kind = 'Other';
  },
  tooFew: ({ response }) => {
    response['convertedObjects'] = [];
  },
  tooMany: ({ response }, objects) => {
    response['convertedObjects'] = [...objects, ...objects];
  },
  versionOfObject: (_answer, [object]) => {
    if (object) object['apiVersion'] = 'flow.example.com/v9';
  },
  kindOfObject: (_answer, [object]) => {
    if (object) object['kind'] = 'Other';
  },
  noKind: (_answer, [object]) => {
    if (object) delete object['kind'];
  },
  name: changed('name', 'other'),
  namespace: changed('namespace', 'other'),
  uid: changed('uid', 'other'),
  labels: changed('labels', { converted: 'yes' }),
  annotations: changed('annotations', { converted: 'yes' }),
  noLabels: changed('labels', undefined),
  finalizers: changed('finalizers', ['a/b']),
  badLabels: changed('labels', { '-': '-' }),
  badAnnotations: changed('annotations', { '-': '-' }),
  numberLabels: changed('labels', { a: 1 }),
  listLabels: changed('labels', ['a']),
  noMetadata: (_answer, [object]) => {
    if (object) delete object['metadata'];
  },
  listMetadata: (_answer, [object]) => {
    if (object) object['metadata'] = [];
  },
  nullObject: ({ response }) => {
    response['convertedObjects'] = [null];
  },
  textObject: ({ response }) => {
    response['convertedObjects'] = ['text'];
  },
  unknownMembers: (_answer, [object]) => {
    if (object) object['other'] = { a: 1 };
  },
  huge: (_answer, [object]) => {
    if (object) (object['spec'] as Members)['host'] = 'x'.repeat(10 * 1024 * 1024);
  },
  garbage: () => 'this is no JSON',
  emptyAnswer: () => '',
  list: () => [],
  notFound: () => 404,
  broken: () => 500,
  busy: () => 503,
  redirects: () => 302,
  cut: () => 0,
} as const satisfies Record<string, Way>;

function changed(name: string, value: unknown): Way {
  return (_answer, [object]) => {
    if (object) (object['metadata'] as Members)[name] = value;
  };
}

/** The object in another version. */
export function converted(object: Members, apiVersion: string): Members {
  const { spec = {}, ...others } = structuredClone(object) as { spec?: Members };
  const { hostPort, host = '', port = '', ...kept } = spec as Record<string, string>;
  if (apiVersion.endsWith('/v1')) {
    const joined = hostPort ?? (`${host}:${port}` === ':' ? undefined : `${host}:${port}`);
    return { ...others, apiVersion, spec: { ...kept, ...(joined && { hostPort: joined }) } };
  }
  const [itsHost = host, itsPort = port] = hostPort?.split(':') ?? [];
  const given = { ...(itsHost && { host: itsHost }), ...(itsPort && { port: itsPort }) };
  return { ...others, apiVersion, spec: { ...kept, ...given } };
}

/** Its certificate is for the loopback and these names. */
export async function startConversionWebhook(
  t: Test,
  { names = [], host = '127.0.0.1' }: { names?: readonly string[]; host?: string } = {},
): Promise<ConversionWebhook> {
  const reviews: Review[] = [];
  const connections: number[] = [];
  let held: (() => void)[] = [];
  let behavior: keyof typeof WAYS | undefined;
  const { key, cert } = await selfSigned(names);
  const server = createServer({ key, cert }, (request, response) => {
    void answer(request, response);
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '').split('?')[0]?.slice(1) as keyof typeof WAYS;
    const way = behavior ?? path;
    const text = Buffer.concat(chunks).toString();
    if (text === '') {
      response.end();
      return;
    }
    const review = JSON.parse(text) as Review;
    reviews.push(review);
    if (way === 'hangs') await new Promise<void>((resolve) => held.push(resolve));
    send(response, answered(review, WAYS[way]));
  }
  server.on('secureConnection', ({ remotePort = 0 }) => connections.push(remotePort));
  // A process of several test files ends when nothing is left to be waited for.
  server.on('connection', (socket: Socket) => socket.unref());
  server.listen(0, host).unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const release = (): void => {
    for (const go of held) go();
    held = [];
  };
  t.teardown(() => {
    release();
    server.closeAllConnections();
    server.close();
  });
  return {
    port,
    caBundle: Buffer.from(cert).toString('base64'),
    reviews,
    connections,
    url: (way = 'right') => `https://127.0.0.1:${port}/${way}`,
    behave: (way) => void (behavior = way),
    release,
  };
}

function answered({ apiVersion, kind, request }: Review, way: Way): unknown {
  const objects = request.objects.map((object) => converted(object, request.desiredAPIVersion));
  const result = { status: 'Success' };
  const response: Members = { uid: request.uid, convertedObjects: objects, result };
  const answer = { apiVersion, kind, response };
  return way(answer, objects) ?? answer;
}

function send(response: ServerResponse, answer: unknown): void {
  if (answer === 0) {
    response.destroy();
  } else if (typeof answer === 'number') {
    response.writeHead(answer, answer === 302 ? { location: '/right' } : {});
    response.end('it is broken');
  } else {
    response.setHeader('content-type', 'application/json');
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  }
}
