/** How a job shows in a Table. */
import { durationText } from '../../semantics/age-text.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  CONTAINER_COLUMNS,
  CONTAINER_MEMBERS,
  containerCells,
  NAME_COLUMN,
  nameOf,
  SELECTOR_COLUMN,
  selectorText,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import type { Job } from './job-types.ts';

export const JOB_PRINTER = definePrinter<Job>()({
  columns: [
    NAME_COLUMN,
    column('Completions', 'string', 'How many pods have ended well, of how many.'),
    column('Duration', 'string', 'How long the job has run, or how long it took.'),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR_COLUMN,
  ],
  members: {
    spec: {
      completions: true,
      parallelism: true,
      selector: true,
      template: { spec: { containers: CONTAINER_MEMBERS } },
    },
    status: { succeeded: true, startTime: true, completionTime: true },
  },
  cells(job, nowMs) {
    const { spec = {}, status = {} } = job;
    return [
      nameOf(job),
      completionsText(job),
      runTimeText(status, nowMs),
      ageOf(job, nowMs),
      ...containerCells(spec.template?.spec),
      selectorText(spec.selector),
    ];
  },
});

/** Without `completions` a job is complete when any of its pods is. */
function completionsText({ spec = {}, status = {} }: Job): string {
  const { completions, parallelism = 0 } = spec;
  const { succeeded = 0 } = status;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function runTimeText(
  { startTime, completionTime }: NonNullable<Job['status']>,
  nowMs: number,
): string {
  if (startTime === undefined) return '';
  const endMs = completionTime === undefined ? nowMs : Date.parse(completionTime);
  return durationText(endMs - Date.parse(startTime));
}
