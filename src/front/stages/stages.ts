/**
 * The way of every request: the stages, in their order. Each is a file beside this one; the last
 * one serves. Some are what the reference calls filters, and are timed by those names.
 */
import { SampledTimes } from '../../observability/metrics/sampled-times.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { controlFlow } from './control-flow.ts';
import { checkDeadline } from './check-deadline.ts';
import { beginAudit } from './begin-audit.ts';
import { enterLaboratory } from './enter-laboratory.ts';
import { impersonate } from './impersonate.ts';
import { findRoute } from './find-route.ts';
import { negotiate } from './negotiate.ts';
import { passOn } from './pass-on.ts';
import { prepare } from './prepare.ts';
import { readBody } from './read-body.ts';
import { serve } from './serve.ts';
import { serveDocument } from './serve-document.ts';
import type { NamedStage } from './stage.ts';
import { takeTurn } from './take-turn.ts';
import { tellPages } from './tell-pages.ts';

export const STAGES: readonly NamedStage[] = [
  { name: 'takeTurn', run: takeTurn, times: undefined },
  { name: 'tellPages', run: tellPages, times: undefined },
  { name: 'checkDeadline', run: checkDeadline, times: undefined },
  { name: 'authenticate', run: authenticate, times: timesOf('authentication') },
  { name: 'beginAudit', run: beginAudit, times: timesOf('audit') },
  { name: 'impersonate', run: impersonate, times: timesOf('impersonation') },
  { name: 'controlFlow', run: controlFlow, times: timesOf('priorityandfairness') },
  { name: 'authorize', run: authorize, times: timesOf('authorization') },
  { name: 'passOn', run: passOn, times: undefined },
  { name: 'serveDocument', run: serveDocument, times: undefined },
  { name: 'findRoute', run: findRoute, times: undefined },
  { name: 'negotiate', run: negotiate, times: undefined },
  { name: 'laboratory', run: enterLaboratory, times: undefined },
  { name: 'prepare', run: prepare, times: undefined },
  { name: 'body', run: readBody, times: undefined },
  { name: 'serve', run: serve, times: undefined },
];

function timesOf(filter: string): SampledTimes {
  const histogram = THREAD_SERIES.histogram('apiserver_request_filter_duration_seconds', {
    filter,
  });
  return new SampledTimes(histogram);
}
