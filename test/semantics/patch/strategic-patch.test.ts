/** Strategic merge patch: objects, lists and directives, on a small kind. */
import t from 'tap';
import { demoPlan, expectedOutcome, outcome, read } from './strategic-notation.ts';
import type { Scenario } from './strategic-notation.ts';

function check(title: string, scenarios: readonly Scenario[]): void {
  t.test(title, async (t) => {
    for (const [what, document, patch, result] of scenarios) {
      t.strictSame(outcome(demoPlan, read(document), read(patch)), expectedOutcome(result), what);
    }
  });
}

check('objects are merged', [
  ['nothing into nothing', '{}', '{}', '{}'],
  ['nothing into something', '{name: a}', '{}', '{name: a}'],
  ['null for a whole patch', '{name: a}', 'null', '{name: a}'],
  ['something into nothing', '{}', '{name: a, value: b}', '{name: a, value: b}'],
  ['a member is added', '{name: a}', '{value: b}', '{name: a, value: b}'],
  ['a scalar is replaced', '{name: a, other: o}', '{name: b}', '{name: b, other: o}'],
  ['a member goes', '{name: a, value: b}', '{name: null}', '{value: b}'],
  ['all members go', '{name: a, value: b}', '{name: null, value: null}', '{}'],
  ['one goes, one comes', '{name: a, o: 1}', '{name: null, value: b}', '{o: 1, value: b}'],
  ['null for what is not there', '{name: a}', '{value: null}', '{name: a}'],
  [
    'a deep member is set',
    '{inner: {inner: {name: a}}}',
    '{inner: {inner: {value: b}}}',
    '{inner: {inner: {name: a, value: b}}}',
  ],
  ['a member of a map goes', '{labels: {a: 1, b: 2}}', '{labels: {b: null}}', '{labels: {a: 1}}'],
  ['a map grows', '{labels: {a: 1}}', '{labels: {b: 2}}', '{labels: {a: 1, b: 2}}'],
  ['an empty map stays', '{labels: {a: 1}}', '{labels: {a: null}}', '{labels: {}}'],
  ['an empty object changes nothing', '{inner: {name: a}}', '{inner: {}}', '{inner: {name: a}}'],
  ['null is taken in with what is new', '{}', '{inner: {name: null}}', '{inner: {name: null}}'],
  ['so are directives', '{}', '{inner: {$patch: delete}}', '{inner: {$patch: delete}}'],
  ['a scalar in the place of an object', '{inner: {name: a}}', '{inner: b}', '{inner: b}'],
  ['an object in the place of a scalar', '{inner: b}', '{inner: {name: a}}', '{inner: {name: a}}'],
  ['an object in the place of null', '{inner: null}', '{inner: {name: a}}', '{inner: {name: a}}'],
  ['a list in the place of an object', '{inner: {}}', '{inner: [1]}', '{inner: [1]}'],
  ['a number in the place of a string', '{name: a}', '{name: 1}', '{name: 1}'],
  [
    'an object that is replaced whole',
    '{whole: {name: a, other: b}}',
    '{whole: {value: c}}',
    '{whole: {value: c}}',
  ],
  [
    'members of an inline message',
    '{volume: {name: a}, inlined: [+a=x]}',
    '{volume: {value: b}, inlined: [+a=y]}',
    '{volume: {name: a, value: b}, inlined: [+a=y]}',
  ],
  [
    'scalars in JSON of any shape',
    '{raw: {a: 1, b: 2}}',
    '{raw: {a: 3, b: null, c: {d: 4}}}',
    '{raw: {a: 3, c: {d: 4}}}',
  ],
  [
    'unknown members',
    '{u: 1, v: [1], w: {x: 1}}',
    '{u: 2, v: 3, y: {z: 1}}',
    '{u: 2, v: 3, w: {x: 1}, y: {z: 1}}',
  ],
]);

check('objects say what becomes of them', [
  ['all goes', '{name: a, value: b}', '{$patch: replace}', '{}'],
  ['all goes, one comes', '{name: a}', '{other: b, $patch: replace}', '{other: b}'],
  [
    'a map is replaced',
    '{labels: {a: 1, b: 2}}',
    '{labels: {$patch: replace, c: 3}}',
    '{labels: {c: 3}}',
  ],
  [
    'what replaces keeps its nulls',
    '{inner: {name: a}}',
    '{inner: {$patch: replace, name: null}}',
    '{inner: {name: null}}',
  ],
  ['a map is emptied', '{labels: {a: 1, b: 2}}', '{labels: {$patch: delete}}', '{labels: {}}'],
  [
    'whatever else is said',
    '{inner: {name: a}}',
    '{inner: {$patch: delete, value: b}}',
    '{inner: {}}',
  ],
  ['everything is deleted', '{name: a}', '{$patch: delete}', '{}'],
  [
    'what is not there is not deleted',
    '{}',
    '{labels: {$patch: delete}}',
    '{labels: {$patch: delete}}',
  ],
  [
    'deep down',
    '{inner: {inner: {labels: {a: 1}}}}',
    '{inner: {inner: {labels: {$patch: replace, b: 2}}}}',
    '{inner: {inner: {labels: {b: 2}}}}',
  ],
  [
    'not in what is replaced anyway',
    '{whole: {name: a}}',
    '{whole: {$patch: delete, name: b}}',
    '{whole: {$patch: delete, name: b}}',
  ],
]);

check('lists without a strategy are replaced', [
  ['scalars', '{plainNumbers: [1, 2]}', '{plainNumbers: [2, 3]}', '{plainNumbers: [2, 3]}'],
  ['by nothing', '{plainNumbers: [1, 2]}', '{plainNumbers: []}', '{plainNumbers: []}'],
  ['objects', '{plainThings: [+a=x, +b]}', '{plainThings: [+a]}', '{plainThings: [+a]}'],
  ['lists of lists too', '{plainThings: [[1]]}', '{plainThings: [[2]]}', '{plainThings: [[2]]}'],
  ['several types too', '{plainThings: [1]}', '{plainThings: [a, {}]}', '{plainThings: [a, {}]}'],
  ['with their directives', '{plainThings: [+a]}', '{plainThings: [-a]}', '{plainThings: [-a]}'],
  [
    'inside of a keyed item',
    '{things: [{name: a, plainThings: [+x, +y]}]}',
    '{things: [{name: a, plainThings: [+z]}]}',
    '{things: [{name: a, plainThings: [+z]}]}',
  ],
  ['null removes one', '{plainNumbers: [1]}', '{plainNumbers: null}', '{}'],
]);

check('keyed lists are merged', [
  ['a member of an item is set', '{things: [+a, +b]}', '{things: [+b=x]}', '{things: [+a, +b=x]}'],
  ['and changed', '{things: [+a=x]}', '{things: [+a=y]}', '{things: [+a=y]}'],
  ['and goes', '{things: [+a=x, +b]}', '{things: [{name: a, value: null}]}', '{things: [+a, +b]}'],
  ['a new item comes first', '{things: [+a]}', '{things: [+b=x]}', '{things: [+b=x, +a]}'],
  ['to an empty list', '{things: []}', '{things: [+b, +a]}', '{things: [+b, +a]}'],
  ['to none', '{}', '{things: [+b, +a]}', '{things: [+b, +a]}'],
  ['nothing into nothing', '{things: []}', '{things: []}', '{things: []}'],
  ['nothing into something', '{things: [+a]}', '{things: []}', '{things: [+a]}'],
  ['an item goes', '{things: [+a, +b, +c]}', '{things: [-b]}', '{things: [+a, +c]}'],
  ['all items go', '{things: [+a, +b]}', '{things: [-a, -b]}', '{things: []}'],
  ['one that is not there', '{things: [+a]}', '{things: [-b]}', '{things: [+a]}'],
  ['none is there', '{things: []}', '{things: [-a, -b]}', '{things: []}'],
  ['no list is there', '{}', '{things: [-a, -b]}', '{things: []}'],
  ['no list, and one comes', '{}', '{things: [-a, +b]}', '{things: [+b]}'],
  ['no list of another strategy', '{}', '{plainThings: [-a]}', '{plainThings: [-a]}'],
  [
    'all of the same name go',
    '{things: [+a, +a, +b=x, +c, +c]}',
    '{things: [-a, -c]}',
    '{things: [+b=x]}',
  ],
  ['one goes, one comes', '{things: [+a, +b]}', '{things: [-a, +c=x]}', '{things: [+c=x, +b]}'],
  ['one is made anew', '{things: [+a=x, +b]}', '{things: [-a, +a]}', '{things: [+a, +b]}'],
  ['the list is emptied', '{things: [+a, +b]}', '{things: [-*]}', '{things: []}'],
  ['the list is replaced', '{things: [+a=x, +b]}', '{things: [+a, -*, +c]}', '{things: [+a, +c]}'],
  ['whatever else goes', '{things: [+a, +b]}', '{things: [-*, -c, +c]}', '{things: [+c]}'],
  [
    'lists in lists',
    '{things: [{name: a, things: [+x, +y]}, +b]}',
    '{things: [{name: a, things: [-x, +y=z]}]}',
    '{things: [{name: a, things: [+y=z]}, +b]}',
  ],
  [
    'scalars in lists',
    '{things: [{name: a, numbers: [1, 2]}]}',
    '{things: [{name: a, numbers: [2, 3]}]}',
    '{things: [{name: a, numbers: [1, 2, 3]}]}',
  ],
  [
    'the first of the same name',
    '{things: [+a=x, +a=y]}',
    '{things: [{name: a, other: o}]}',
    '{things: [{name: a, value: x, other: o}, +a=y]}',
  ],
  [
    'one twice in the patch',
    '{things: [+a]}',
    '{things: [+a=x, {name: a, other: o}]}',
    '{things: [{name: a, value: x, other: o}]}',
  ],
  [
    'a new one twice in the patch',
    '{things: [+b]}',
    '{things: [{name: a, inner: {value: x}}, {name: a, inner: {other: o}}]}',
    '{things: [{name: a, inner: {value: x, other: o}}, +b]}',
  ],
  [
    'by a number',
    '{ports: [{port: 80, name: a}, {port: 81}]}',
    '{ports: [{port: 80, name: b}]}',
    '{ports: [{port: 80, name: b}, {port: 81}]}',
  ],
  [
    'numbers are no strings',
    '{ports: [{port: 80}]}',
    '{ports: [{port: "80"}]}',
    '{ports: [{port: "80"}, {port: 80}]}',
  ],
  ['an object for a list', '{things: [+a]}', '{things: {a: 1}}', '{things: {a: 1}}'],
]);

check('lists of scalars are joined', [
  ['each value once', '{numbers: [1, 2]}', '{numbers: [2, 3]}', '{numbers: [1, 2, 3]}'],
  ['new ones first', '{numbers: [1, 2]}', '{numbers: [3]}', '{numbers: [3, 1, 2]}'],
  ['once, if the patch has one twice', '{numbers: [1]}', '{numbers: [2, 2]}', '{numbers: [2, 1]}'],
  ['taken as it is by none', '{}', '{numbers: [2, 2]}', '{numbers: [2, 2]}'],
  ['nothing is added', '{numbers: [1]}', '{numbers: []}', '{numbers: [1]}'],
  [
    'values go',
    '{numbers: [1, 2, 3]}',
    '{$deleteFromPrimitiveList/numbers: [3, 1]}',
    '{numbers: [2]}',
  ],
  [
    'all of the same',
    '{numbers: [1, 2, 1]}',
    '{$deleteFromPrimitiveList/numbers: [1]}',
    '{numbers: [2]}',
  ],
  [
    'values come and go',
    '{numbers: [1, 2]}',
    '{$deleteFromPrimitiveList/numbers: [1], numbers: [3]}',
    '{numbers: [3, 2]}',
  ],
  [
    'not there',
    '{numbers: [1, 2]}',
    '{$deleteFromPrimitiveList/numbers: [3]}',
    '{numbers: [1, 2]}',
  ],
  ['from null', '{numbers: null}', '{$deleteFromPrimitiveList/numbers: [3]}', '{numbers: null}'],
  ['from nothing', '{numbers: []}', '{$deleteFromPrimitiveList/numbers: []}', '{numbers: []}'],
  ['from no list', '{name: a}', '{$deleteFromPrimitiveList/numbers: [3]}', '{name: a}'],
  ['from an object', '{inner: {}}', '{$deleteFromPrimitiveList/inner: [3]}', '{inner: {}}'],
  [
    'from a list that is replaced',
    '{plainNumbers: [1, 2]}',
    '{$deleteFromPrimitiveList/plainNumbers: [1]}',
    '{plainNumbers: [1]}',
  ],
  ['null removes the list', '{numbers: [1]}', '{$deleteFromPrimitiveList/numbers: null}', '{}'],
  ['of no name', '{numbers: [1]}', '{$deleteFromPrimitiveList/: [1]}', '{numbers: [1]}'],
]);

check('$retainKeys drops what it does not list', [
  [
    'without it nothing is dropped',
    '{union: {name: a}}',
    '{union: {value: b}}',
    '{union: {name: a, value: b}}',
  ],
  [
    'a default is dropped',
    '{union: {value: x}}',
    '{union: {$retainKeys: [other], other: y}}',
    '{union: {other: y}}',
  ],
  [
    'what is listed stays',
    '{union: {name: a, value: x}}',
    '{union: {$retainKeys: [name, other], name: b, other: y}}',
    '{union: {name: b, other: y}}',
  ],
  [
    'a member that goes needs no place',
    '{union: {name: a, value: x}}',
    '{union: {$retainKeys: [name], value: null}}',
    '{union: {name: a}}',
  ],
  ['nothing stays', '{union: {name: a}}', '{union: {$retainKeys: []}}', '{union: {}}'],
  [
    'one that is not there',
    '{union: {name: a}}',
    '{union: {$retainKeys: [name, value]}}',
    '{union: {name: a}}',
  ],
  [
    'a map inside',
    '{union: {name: a, labels: {a: 1, b: 2}, value: x}}',
    '{union: {$retainKeys: [name, labels], labels: {b: null, c: 3}}}',
    '{union: {name: a, labels: {a: 1, c: 3}}}',
  ],
  [
    'a list of scalars inside',
    '{union: {value: x, numbers: [1, 2, 3]}}',
    '{union: {$retainKeys: [numbers], $deleteFromPrimitiveList/numbers: [1], numbers: [4],' +
      ' $setElementOrder/numbers: [2, 3, 4]}}',
    '{union: {numbers: [2, 3, 4]}}',
  ],
  [
    'a keyed list inside',
    '{union: {value: x, things: [+a, +b]}}',
    '{union: {$retainKeys: [things], $setElementOrder/things: [+b, +a], things: [+b=y]}}',
    '{union: {things: [+b=y, +a]}}',
  ],
  [
    'a list that goes',
    '{union: {name: a, things: [+a]}}',
    '{union: {$retainKeys: [name], things: null}}',
    '{union: {name: a}}',
  ],
  [
    'a replaced list inside',
    '{union: {name: a, plainThings: [+a]}}',
    '{union: {$retainKeys: [plainThings], plainThings: [+b]}}',
    '{union: {plainThings: [+b]}}',
  ],
  [
    'in an item',
    '{unions: [+a=x, +b]}',
    '{unions: [{$retainKeys: [name, other], name: a,' + ' other: y}]}',
    '{unions: [{name: a, other: y}, +b]}',
  ],
  [
    'in an item that only loses',
    '{unions: [+a=x]}',
    '{unions: [{$retainKeys: [name], name: a}]}',
    '{unions: [+a]}',
  ],
  [
    'whatever the schema says',
    '{inner: {name: a, value: x}}',
    '{inner: {$retainKeys: [name]}}',
    '{inner: {name: a}}',
  ],
  ['at the top', '{name: a, value: x}', '{$retainKeys: [name]}', '{name: a}'],
  [
    'in what is new it stays',
    '{}',
    '{inner: {$retainKeys: [name]}}',
    '{inner: {$retainKeys: [name]}}',
  ],
]);
