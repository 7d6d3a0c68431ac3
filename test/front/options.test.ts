/** Options of writes: what is refused, in which words and in which order. */
import t from 'tap';
import {
  checkDeleteOptions,
  checkPatchOptions,
  checkWriteOptions,
} from '../../src/front/requests/options.ts';
import { Query } from '../../src/front/requests/query.ts';
import type { PatchType } from '../../src/protocol/shard-protocol.ts';
import { thrownStatus } from '../support/thrown-status.ts';

const FORCE = 'force: Forbidden: may not be specified for non-apply patch';
const NO_MANAGER = 'fieldManager: Required value: is required for apply patch';
const LONG = 'm'.repeat(129);
const TOO_LONG = 'fieldManager: Too long: must have at most 128 bytes';
const DRY_RUN = 'dryRun: Unsupported value: []string{"Some"}: supported values: "All"';
const VALIDATION =
  'fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"';

t.test('options of a patch', async (t) => {
  const real = { dryRun: false, force: false };
  const rows: [PatchType, string, object][] = [
    ['json', '', real],
    ['merge', 'dryRun&fieldValidation=Ignore&fieldManager=me&pretty=true', real],
    [
      'strategic',
      'dryRun=All&fieldValidation=Warn',
      { ...real, dryRun: true, fieldValidation: 'Warn', sentFieldValidation: 'Warn' },
    ],
    ['apply', 'fieldManager=me', real],
    [
      'apply',
      'fieldManager=me&fieldValidation=Strict',
      { ...real, fieldValidation: 'Strict', sentFieldValidation: 'Strict' },
    ],
    ...['force', 'force=', 'force=true', 'force=1', 'force=yes', 'force=no'].map(
      (force): [PatchType, string, object] => [
        'apply',
        `fieldManager=me&${force}`,
        { dryRun: false, force: true },
      ],
    ),
    ...['force=false', 'force=FALSE', 'force=0'].map((force): [PatchType, string, object] => [
      'apply',
      `fieldManager=me&${force}`,
      real,
    ]),
  ];
  for (const [patchType, query, options] of rows) {
    t.same(checkPatchOptions(new Query(query), patchType), options, `${patchType} ${query}`);
  }
});

t.test('options of a patch that are refused', async (t) => {
  const rows: [PatchType, string, string[]][] = [
    ['json', 'force', [FORCE]],
    ['merge', 'force=true', [FORCE]],
    ['strategic', 'force=false', [FORCE]],
    ['apply', '', [NO_MANAGER]],
    ['apply', 'fieldManager=&force', [NO_MANAGER]],
    ['merge', 'dryRun=Some', [DRY_RUN]],
    ['apply', `fieldManager=${LONG}`, [TOO_LONG]],
    ['merge', 'fieldValidation=strict', [VALIDATION]],
    [
      'json',
      `fieldValidation=strict&dryRun=Some&force&fieldManager=${LONG}`,
      [FORCE, TOO_LONG, DRY_RUN, VALIDATION],
    ],
    ['apply', 'dryRun=Some&fieldValidation=strict', [NO_MANAGER, DRY_RUN, VALIDATION]],
  ];
  for (const [patchType, query, errors] of rows) {
    const text = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
    const status = thrownStatus(() => checkPatchOptions(new Query(query), patchType));
    t.equal(status.code, 422, query);
    t.equal(status.reason, 'Invalid', query);
    t.equal(status.message, `PatchOptions.meta.cluster.io "" is invalid: ${text}`, query);
    const causes = status.details?.causes?.map(({ field, message }) => `${field}: ${message}`);
    t.same(causes, errors, query);
  }
});

t.test('options of other writes do not know force', async (t) => {
  for (const kind of ['CreateOptions', 'UpdateOptions'] as const) {
    t.same(checkWriteOptions(new Query('force=true'), kind), { dryRun: false }, kind);
    const status = thrownStatus(() => checkWriteOptions(new Query('dryRun=Some'), kind));
    t.equal(status.message, `${kind}.meta.cluster.io "" is invalid: ${DRY_RUN}`);
  }
  const both = new Query(`fieldValidation=strict&dryRun=Some&fieldManager=${LONG}`);
  t.equal(
    thrownStatus(() => checkWriteOptions(both, 'UpdateOptions')).message,
    `UpdateOptions.meta.cluster.io "" is invalid: [${TOO_LONG}, ${DRY_RUN}, ${VALIDATION}]`,
  );
});

t.test(
  'options of a deletion: what is not said is absent, and all that is wrong is told',
  async (t) => {
    const check = (query: string): unknown => checkDeleteOptions(new Query(query));
    t.same(check('force=true&dryRun'), { dryRun: false });
    t.same(check('dryRun=All&propagationPolicy=Orphan'), {
      dryRun: true,
      propagationPolicy: 'Orphan',
    });
    t.same(check('orphanDependents=false'), { dryRun: false, orphanDependents: false });
    const unsupported =
      'propagationPolicy: Unsupported value: "Later": supported values: "Foreground", ' +
      '"Background", "Orphan", "nil"';
    const status = thrownStatus(() =>
      check('orphanDependents=true&dryRun=Some&propagationPolicy=Later'),
    );
    t.equal(
      status.message,
      'DeleteOptions.meta.cluster.io "" is invalid: [propagationPolicy: Invalid value: "Later": ' +
        `orphanDependents and deletionPropagation cannot be both set, ${unsupported}, ${DRY_RUN}]`,
    );
  },
);
