/** The access matrix, as release 1.23.17 decides it. */
import { CELL_DECISIONS, MATRIX_DECISIONS } from '../support/access-decisions.ts';
import { testAccess } from '../support/test-access.ts';

await testAccess({ reviews: MATRIX_DECISIONS, cells: CELL_DECISIONS });
