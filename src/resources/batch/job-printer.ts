/** How a job shows in a Table. */
import type { JobCondition } from '#messages/batch.v1';
import { ownRelease } from '../../release/release.ts';
import { ageSince, durationText, type Age } from '../../semantics/age-text.ts';
import { AGE, containers, NAME, selector } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

// prettier-ignore
export const JOB_PRINTER = definePrinter([
  NAME,
  ...(ownRelease().has('statesOfJobs')
    ? [text('Status', 'How far the job is.', 'status.conditions{type status} ' +
        'metadata.deletionTimestamp', statusText)]
    : []),
  text('Completions', 'How many pods have ended well, of how many.',
    'status.succeeded spec.completions spec.parallelism', completionsText),
  text('Duration', 'How long the job has run, or how long it took.',
    'status.startTime status.completionTime', runTime),
  AGE,
  ...containers('spec.template.spec.containers'),
  selector('spec.selector'),
]);

/** The states that conditions tell, those of jobs that have ended first. */
const ENDED = ['Complete', 'Failed'] as const;
const UNDER_WAY = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'] as const;

function statusText(conditions: readonly JobCondition[] = [], deletionTimestamp?: string): string {
  const holds = (wanted: string): boolean =>
    conditions.some(({ type, status }) => type === wanted && status === 'True');
  const ended = ENDED.find(holds);
  if (ended !== undefined) return ended;
  return deletionTimestamp === undefined ? (UNDER_WAY.find(holds) ?? 'Running') : 'Terminating';
}

/** Without `completions` a job is complete when any of its pods is. */
function completionsText(succeeded = 0, completions?: number, parallelism = 0): string {
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function runTime(startTime?: string, completionTime?: string): Age | string {
  if (startTime === undefined) return '';
  if (completionTime === undefined) return ageSince(startTime);
  return durationText(Date.parse(completionTime) - Date.parse(startTime));
}
