/** How a job shows in a Table. */
import type { Job } from '#messages/batch.v1';
import { ageSince, durationText, type Age } from '../../semantics/age-text.ts';
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
  cells(job) {
    const { spec = {}, status = {} } = job;
    return [
      nameOf(job),
      completionsText(job),
      runTimeOf(status),
      ageOf(job),
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

function runTimeOf({ startTime, completionTime }: NonNullable<Job['status']>): Age | string {
  if (startTime === undefined) return '';
  if (completionTime === undefined) return ageSince(startTime);
  return durationText(Date.parse(completionTime) - Date.parse(startTime));
}
