/** Some work waits for the end of a turn, and some does not when the turn takes long. */
import t from 'tap';
import { TurnEnd } from '../../src/base/turns/turn-end.ts';

function newTurn() {
  const clock = { nowMs: 0 };
  const ends: (() => void)[] = [];
  const done: string[] = [];
  const turn = new TurnEnd(
    () => clock.nowMs,
    (then) => ends.push(then),
  );
  const add = (what: string) => turn.add(() => done.push(what));
  const end = () => {
    for (const run of ends.splice(0)) run();
  };
  return { turn, clock, done, add, end };
}

t.test('a short turn: all is done at its end, once', async (t) => {
  const { turn, done, add, end } = newTurn();
  turn.passed();
  add('one');
  turn.passed();
  add('two');
  t.same(done, []);
  end();
  t.same(done, ['one', 'two']);
  end();
  t.equal(done.length, 2);
});

t.test('a long turn: what has waited is done in the midst of it', async (t) => {
  const { turn, clock, done, add, end } = newTurn();
  clock.nowMs = 1_000;
  add('one');
  clock.nowMs += 50;
  add('two');
  turn.passed();
  t.same(done, ['one', 'two']);
  add('three');
  turn.passed();
  t.equal(done.length, 2, 'what has just come waits again');
  end();
  t.same(done, ['one', 'two', 'three']);
});

t.test(
  'in the midst of a long turn messages are looked for, by who is free to take them',
  async (t) => {
    const { turn, clock, done, add, end } = newTurn();
    const endLook = turn.lookInLongTurns(() => done.push('look'));
    const passes = (isFree: boolean) => {
      clock.nowMs += 50;
      turn.passed(isFree);
    };
    passes(true);
    t.same(done, [], 'nobody waits for the end of this turn');
    add('one');
    turn.passed(true);
    t.same(done, [], 'it has not taken long');
    passes(false);
    t.same(done, ['one']);
    passes(true);
    t.same(done, ['one', 'look']);
    turn.passed(true);
    t.equal(done.length, 2, 'not again at once');
    add('two');
    passes(true);
    t.same(done.splice(0), ['one', 'look', 'look', 'two'], 'answers may have something sent');
    endLook();
    passes(true);
    end();
    passes(true);
    t.same(done, []);
  },
);
