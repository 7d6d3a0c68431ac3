/** Credentials for webhooks that objects of the API name, from the users of a kubeconfig. */
import { joinHostPort } from '../base/dial-error.ts';
import {
  HTTPS_PORT,
  placeOf,
  urlOf,
  type WebhookCaller,
  type WebhookPlace,
} from './webhook-target.ts';

export interface WebhookCallers {
  /** `hooks.example.com:8443`, `*.example.com`, or `*` for all others. */
  readonly byName: Readonly<Record<string, WebhookCaller>>;
  /** The name of the one for those that no name fits; '' for none. */
  readonly otherwise: string;
}

/**
 * Who calls a webhook, found as the reference does: by host and port, by what ends its name, by the
 * same without the port that HTTPS has by itself, then `*`, then the current context.
 */
export function callerOf(
  { byName, otherwise }: WebhookCallers,
  place: WebhookPlace,
): WebhookCaller | undefined {
  const { host, port } = placeOf(urlOf(place));
  const whole = joinHostPort(host, port);
  const names = [
    ...namesFor(whole),
    ...(port === HTTPS_PORT ? namesFor(host) : []),
    '*',
    otherwise,
  ];
  const name = names.find((one) => Object.hasOwn(byName, one));
  return name === undefined ? undefined : byName[name];
}

/** `a.b.c`, `*.b.c`, `*.c`. */
function namesFor(place: string): readonly string[] {
  const parts = place.split('.');
  return parts.map((_, at) => (at === 0 ? place : `*.${parts.slice(at).join('.')}`));
}
