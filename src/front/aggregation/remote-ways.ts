/** The ways of a front to other servers of the API; loaded with the first one of them. */
import { ProxyCertificate } from '../../aggregation/proxy-certificate.ts';
import type { RemoteApi } from '../../aggregation/remote-api.ts';
import type { AggregationSettings } from '../../aggregation/settings.ts';
import { serviceObjects } from '../../aggregation/service-objects.ts';
import { Upstreams } from '../../aggregation/upstreams.ts';
import type { Timers } from '../../base/time/timers.ts';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import { KnownRemote } from './known-remote.ts';
import { RemoteApis, type RemoteApisOptions } from './remote-apis.ts';
import { RemoteDocuments, type RemoteDocumentsOptions } from './remote-documents.ts';

export interface RemoteWaysOptions {
  readonly settings: AggregationSettings;
  /** Gives a client of the shard of a type. */
  readonly objects: (type: string) => ShardObjects;
  /** Merges documents of version 2, in a thread of its own. */
  readonly merge: RemoteDocumentsOptions['merge'];
  /** Converts one to version 3, there too. */
  readonly convert: RemoteDocumentsOptions['convert'];
  readonly nowMs: () => number;
}

export class RemoteWays {
  readonly #upstreams: Upstreams;
  readonly #options: RemoteApisOptions;

  constructor({ settings, objects, merge, convert, nowMs }: RemoteWaysOptions) {
    this.#upstreams = new Upstreams({
      objects: serviceObjects(objects),
      routing: settings.routing,
      certificate: new ProxyCertificate(settings.certificate, nowMs),
      nowMs,
    });
    const upstreams = this.#upstreams;
    this.#options = {
      upstreams,
      rejectsRedirects: settings.rejectsRedirects,
      documents: new RemoteDocuments({ upstreams, merge, convert, nowMs }),
    };
  }

  newRemote(api: RemoteApi, timers: Timers, onChange: () => void): KnownRemote {
    return new KnownRemote({ api, upstreams: this.#upstreams, timers, onChange });
  }

  /** Undefined without any. */
  snapshot(known: readonly KnownRemote[]): RemoteApis | undefined {
    if (known.length === 0) return undefined;
    const apis = known.map(({ api }) => api);
    const versions = known.map(({ version }) => version);
    return new RemoteApis(apis, versions, this.#options);
  }

  close(): void {
    this.#upstreams.close();
  }
}
