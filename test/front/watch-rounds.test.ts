import t from 'tap';
import { WatchRounds } from '../../src/front/watch/watch-rounds.ts';
import { WATCHES_WRITTEN_PER_TURN } from '../../src/front/limits.ts';
import { turns } from '../support/gate.ts';

const MANY = 2 * WATCHES_WRITTEN_PER_TURN + 1;

function channelOf(length: number, name = 'a'): { watches: Set<string> } {
  return { watches: new Set(Array.from({ length }, (_, index) => `${name}${index}`)) };
}

t.test('few are written to at once', (t) => {
  const written: string[] = [];
  const rounds = new WatchRounds((watch: string) => void written.push(watch));
  const [first, second] = [channelOf(2), channelOf(1, 'b')];
  t.ok(rounds.touch(first));
  t.notOk(rounds.touch(first), 'what came before is still to be written');
  rounds.touch(second);
  rounds.turnEnd();
  t.same(written, ['a0', 'a1', 'b0']);
  t.ok(rounds.touch(first));
  rounds.turnEnd();
  t.same(written.slice(3), ['a0', 'a1']);
  rounds.turnEnd();
  t.equal(written.length, 5, 'what has nothing new is left alone');
  t.end();
});

t.test('of many some in each turn, and all of them before any has its next', async (t) => {
  const written: string[] = [];
  const rounds = new WatchRounds((watch: string) => void written.push(watch));
  const channel = channelOf(MANY);
  rounds.touch(channel);
  rounds.turnEnd();
  t.equal(written.length, WATCHES_WRITTEN_PER_TURN);
  t.notOk(rounds.touch(channel), 'some have not been written to');
  rounds.turnEnd();
  t.equal(written.length, WATCHES_WRITTEN_PER_TURN, 'others have their turn');
  channel.watches.delete(`a${MANY - 1}`);
  await turns(8);
  const round = [...channel.watches];
  t.same(written, [...round, ...round]);
  t.ok(rounds.touch(channel));
});

t.test('a channel that is gone is not written to', async (t) => {
  const written: string[] = [];
  const rounds = new WatchRounds((watch: string) => void written.push(watch));
  const [long, gone] = [channelOf(MANY), channelOf(1, 'b')];
  for (const channel of [long, gone]) rounds.touch(channel);
  rounds.turnEnd();
  rounds.forget(gone);
  gone.watches.clear();
  await turns(6);
  t.equal(written.length, MANY);
});
