/** Values that are one field each. */
import t from 'tap';
import { scenarios, schema } from '../support/apply-scenario.ts';

const LEAVES = schema(`
  message Object {
    optional double number = 1 [(presence) = true];
    optional string text = 2;
    optional bool flag = 3 [(presence) = true];
  }
`);

t.test('values of one applier', async (t) => {
  scenarios(t, LEAVES, {
    'the second configuration counts': `
      apply ann    {number: 1, text: a}
      apply ann    {number: 2, text: a, flag: false}
      is           {number: 2, text: a, flag: false}
      applied ann  .number .text .flag`,
    'in another version too, and the entry moves to it': `
      apply ann           {number: 1, text: a}
      apply ann in v2     {number: 2, text: a, flag: false}
      is                  {number: 2, text: a, flag: false}
      applied ann in v2   .number .text .flag`,
    'what she no longer mentions goes': `
      apply ann    {number: 1, text: a, flag: false}
      apply ann    {text: b}
      is           {text: b}
      applied ann  .text`,
    'what she no longer mentions in another version goes': `
      apply ann          {number: 1, text: a, flag: false}
      apply ann in v2    {text: b}
      is                 {text: b}
      applied ann in v2  .text`,
    'an empty configuration leaves nothing': `
      apply ann  {text: a}
      apply ann  {}
      is         {}
      unowned`,
    'the same configuration again changes nothing': `
      apply ann    {number: 0, text: a}
      at 5
      apply ann    {number: 0, text: a}
      is           {number: 0, text: a}
      applied ann at 0  .number .text`,
    'a changed value is not a conflict with oneself': `
      apply ann    {number: 1}
      apply ann    {number: 2}
      apply ann    {number: 3}
      is           {number: 3}
      applied ann  .number`,
    'a presence-tracked zero is a value': `
      apply ann    {number: 0, flag: false}
      apply ben    {number: 1}
      conflict     applied ann .number
      apply ann    {flag: false}
      is           {flag: false}
      applied ann  .flag`,
  });
});

t.test('values of appliers and updaters', async (t) => {
  scenarios(t, LEAVES, {
    'an updater adds one of its own': `
      apply ann    {number: 1, text: a}
      update bot   {number: 1, text: a, flag: true}
      apply ann    {number: 2, text: a}
      is           {number: 2, text: a, flag: true}
      applied ann  .number .text
      updated bot  .flag`,
    'an updater in another version adds one of its own': `
      apply ann          {number: 1, text: a}
      update bot in v2   {number: 1, text: a, flag: true}
      apply ann          {number: 2, text: a}
      is                 {number: 2, text: a, flag: true}
      applied ann        .number .text
      updated bot in v2  .flag`,
    'what an updater has changed must be taken by force': `
      apply ann    {number: 1, text: a}
      update bot   {number: 1, text: b, flag: true}
      apply ann    {number: 2, text: c}
      conflict     updated bot .text
      is           {number: 1, text: b, flag: true}
      applied ann  .number
      updated bot  .flag .text
      force ann    {number: 2, text: c}
      is           {number: 2, text: c, flag: true}
      applied ann  .number .text
      updated bot  .flag`,
    'and so across versions': `
      apply ann          {number: 1, text: a}
      update bot in v2   {number: 1, text: b, flag: true}
      apply ann          {number: 2, text: c}
      conflict           updated bot .text
      force ann          {number: 2, text: c}
      is                 {number: 2, text: c, flag: true}
      applied ann        .number .text
      updated bot in v2  .flag`,
    'what an updater has taken stays when the applier drops it': `
      apply ann    {number: 2}
      update bot   {number: 1}
      apply ann    {}
      is           {number: 1}
      updated bot  .number`,
    'an applier that lost all has no entry': `
      apply ann    {text: a}
      update bot   {text: b}
      is           {text: b}
      updated bot  .text`,
    'an updater removes what an applier owned': `
      apply ann    {number: 1, text: a}
      update bot   {number: 1}
      is           {number: 1}
      applied ann  .number
      apply ann    {number: 1, text: a}
      applied ann  .number .text
      is           {number: 1, text: a}`,
    'an updater that removes all leaves no entries': `
      apply ann    {number: 1}
      update bot   {}
      unowned`,
    'an update that changes nothing owns nothing': `
      apply ann    {number: 1, text: a}
      update bot   {number: 1, text: a}
      same
      applied ann  .number .text`,
    'an updater that writes the value back owns it': `
      apply ann    {number: 1}
      update bot   {number: 2}
      update cat   {number: 1}
      updated cat  .number
      apply ann    {number: 1}
      applied ann  .number
      updated cat  .number`,
    'a created object belongs to its creator': `
      update bot   {number: 1, text: a, flag: false}
      updated bot  .number .text .flag`,
    'the same name as applier and as updater is two owners': `
      update ann   {number: 1}
      apply ann    {number: 2}
      conflict     updated ann .number
      force ann    {number: 2}
      applied ann  .number
      is           {number: 2}`,
    'an equal value is shared with the updater': `
      update bot   {number: 1}
      apply ann    {number: 1}
      applied ann  .number
      updated bot  .number
      apply ann    {}
      is           {number: 1}
      updated bot  .number`,
  });
});
