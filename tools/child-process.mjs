import { spawn } from 'node:child_process';
import os from 'node:os';
import { isatty } from 'node:tty';

/** A terminal and npm both deliver the same Ctrl-C: within this time it counts once. */
const REPEATED_SIGNAL_MS = 1_000;
const PARENT_CHECK_MS = 250;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const children = new Set();
const signalTimes = new Map();
let programRuns = false;

/**
 * Runs a step to its end and gives its exit code, or 128 plus the number of the signal that ended
 * it. Rejects where it could not be started.
 */
export function runStep(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options);
    children.add(child);
    child.once('error', (error) => {
      children.delete(child);
      reject(error);
    });
    child.once('exit', (code, signal) => {
      children.delete(child);
      resolve(code ?? exitCodeOf(signal));
    });
  });
}

/** As `runStep`, for the program that all steps prepared: signals are its to answer from now on. */
export function runProgram(file, args) {
  programRuns = true;
  return runStep(file, args, { stdio: 'inherit' });
}

/**
 * From now on a signal, or the end of the npm that started this process, ends this process and the
 * step that it runs. A program gets the signal instead, and this process ends after it.
 */
export function endOnSignals() {
  for (const signal of SIGNALS) process.on(signal, () => end(signal));
  process.on('exit', () => killChildren('SIGTERM'));
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end('SIGTERM');
  }, PARENT_CHECK_MS).unref();
}

function end(signal) {
  if (!programRuns) process.exit(exitCodeOf(signal));
  const now = Date.now();
  const before = signalTimes.get(signal);
  if (before !== undefined && now - before < REPEATED_SIGNAL_MS) return;
  signalTimes.set(signal, now);
  // A terminal gives Ctrl-C to the program itself too, for which two of them may mean haste.
  if (signal === 'SIGINT' && before === undefined && isatty(0)) return;
  killChildren(signal);
}

function killChildren(signal) {
  for (const child of children) child.kill(signal);
}

function exitCodeOf(signal) {
  return 128 + (os.constants.signals[signal] ?? 0);
}
