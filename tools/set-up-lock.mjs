import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const HEARTBEAT_MS = 1_000;
/** An owner on another host or with a recycled pid shows that it lives by its heartbeat only. */
const HEARTBEAT_DEAD_MS = 15_000;
const RETRY_MS = 100;

/**
 * Waits until this process alone may change what the set-up makes, and gives the function that
 * ends that. The lock is a folder that appears by one rename with its owner already written in
 * it; a dead owner's lock is taken over. `onWait` is called once when there is someone to wait for.
 */
export async function acquireLock(folder, onWait) {
  const token = crypto.randomBytes(8).toString('hex');
  let waiting = false;
  while (fs.existsSync(folder) || !tryAcquire(folder, token)) {
    const owner = readOwner(folder);
    if (isDead(owner, folder)) {
      removeLockOf(owner?.token, folder);
      continue;
    }
    if (!waiting && owner !== undefined) {
      waiting = true;
      onWait(owner);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  const heartbeat = setInterval(() => touch(folder), HEARTBEAT_MS);
  heartbeat.unref();
  const release = () => {
    clearInterval(heartbeat);
    process.removeListener('exit', release);
    if (readOwner(folder)?.token === token) removeLockOf(token, folder);
  };
  process.on('exit', release);
  return release;
}

function tryAcquire(folder, token) {
  const prepared = `${folder}-${token}`;
  const owner = { token, pid: process.pid, host: os.hostname() };
  try {
    fs.mkdirSync(prepared, { recursive: true });
    fs.writeFileSync(path.join(prepared, 'owner.json'), JSON.stringify(owner));
    fs.renameSync(prepared, folder);
    return true;
  } catch (error) {
    fs.rmSync(prepared, { recursive: true, force: true });
    // ENOENT: the one that has the lock took the prepared folder for something left behind.
    const isHeld = ['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code);
    if (isHeld || (error.code === 'EPERM' && fs.existsSync(folder))) return false;
    throw error;
  }
}

function readOwner(folder) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'owner.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function isDead(owner, folder) {
  if (owner?.host === os.hostname() && !processExists(owner.pid)) return true;
  const file = owner === undefined ? folder : path.join(folder, 'owner.json');
  const seen = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return seen !== undefined && Date.now() - seen > HEARTBEAT_DEAD_MS;
}

function processExists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Two waiters may both have seen the dead owner: what the second takes away, it puts back. */
function removeLockOf(token, folder) {
  const removed = `${folder}-${crypto.randomBytes(8).toString('hex')}`;
  try {
    fs.renameSync(folder, removed);
    if (readOwner(removed)?.token !== token) {
      fs.renameSync(removed, folder);
      return;
    }
    fs.rmSync(removed, { recursive: true, force: true });
  } catch {
    // Somebody else was faster: the caller looks at the lock again.
  }
}

function touch(folder) {
  const now = new Date();
  fs.utimes(path.join(folder, 'owner.json'), now, now, () => {});
}
