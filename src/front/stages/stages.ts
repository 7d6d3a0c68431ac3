/**
 * The way of every request: the stages, in their order. Each is a file beside this one; the last
 * one serves.
 */
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { checkDeadline } from './check-deadline.ts';
import { beginAudit } from './begin-audit.ts';
import { impersonate } from './impersonate.ts';
import { serve } from './serve.ts';
import type { Stage } from './stage.ts';
import { takeTurn } from './take-turn.ts';
import { tellPages } from './tell-pages.ts';

export const STAGES: readonly Stage[] = [
  takeTurn,
  tellPages,
  checkDeadline,
  authenticate,
  beginAudit,
  impersonate,
  authorize,
  serve,
];
