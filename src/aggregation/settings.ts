/** How other servers of the API are reached, as the options say. */
import type { ServiceRouting } from '../webhooks/service-addresses.ts';
import type { ProxyCertificateSettings } from './proxy-certificate.ts';

export interface AggregationSettings {
  readonly routing: ServiceRouting;
  readonly certificate: ProxyCertificateSettings;
  /** Their redirects are told to nobody. */
  readonly rejectsRedirects: boolean;
}
