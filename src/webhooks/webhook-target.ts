/** Where webhooks are, and what is shown to them. */
import { isIP } from 'node:net';
import { dialedHost } from '../semantics/validation/ip-address.ts';
import type { ServiceRef } from './service-addresses.ts';

/** As configurations say where a webhook is; one of `url` and `service` is there. */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: ServiceRef & { readonly path: string };
  /** PEM in base64; '' for the authorities that the runtime trusts. */
  readonly caBundle: string;
  /** The caller's credentials and checks; absent for webhooks that objects of the API name. */
  readonly caller?: WebhookCaller;
}

/** As a kubeconfig says it; '' for what it does not say. */
export interface WebhookCaller {
  /** The header `Authorization`. */
  readonly authorization: string;
  /** A certificate and its key: PEM. */
  readonly certificate: string;
  readonly key: string;
  /** The name that the certificate of the webhook has to have, where it is not that of the URL. */
  readonly serverName: string;
  /** The certificate of the webhook is not looked at. */
  readonly trustsAnybody: boolean;
}

/** Where it is, of a target. */
export type WebhookPlace = Pick<WebhookTarget, 'url' | 'service'>;

export const HTTPS_PORT = 443;

/** That of a service has the name by which its certificate is checked. */
export function urlOf({ url = '', service }: WebhookPlace): URL {
  if (service === undefined) return new URL(url);
  const { name, namespace, path, port } = service;
  const its = new URL(`https://${name}.${namespace}.svc:${port}`);
  its.pathname = path;
  return its;
}

const HOST = /^https:\/\/(?:[^/?#@]*@)?(?:\[([^\]]*)\]|([^/?#:]*))/i;

/**
 * The host of a URL that is neither an address in a usual form nor a name; '' where it is one. The
 * runtime makes addresses of other numbers too: 127.0.0.1 of `0177.1`.
 */
export function strangeHost({ url = '', service }: WebhookPlace): string {
  if (service !== undefined) return '';
  const { host } = placeOf(new URL(url));
  const [, bracketed, plain = ''] = HOST.exec(url) ?? [];
  const written = bracketed ?? plain;
  return isIP(host) === 0 || dialedHost(written) === dialedHost(host) ? '' : written;
}

/** The host without brackets, and the port, said or not. */
export function placeOf({ hostname, port }: URL): { readonly host: string; readonly port: number } {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return { host, port: port === '' ? HTTPS_PORT : Number(port) };
}
