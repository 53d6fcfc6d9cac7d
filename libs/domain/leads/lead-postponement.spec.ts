import { getLeadDueAt, findPostponement } from './lead-postponement';

const DUE = new Date('2026-11-24T09:00:00.000Z');
const UNTIL = new Date('2026-11-30T08:00:00.000Z');
const MOVED = new Date('2026-11-26T08:00:00.000Z');
const postponement = { dueAt: DUE, until: UNTIL, reason: 'campaign_window', revision: 3 };

it.each([
  ['was not postponed', { dueAt: UNTIL }, 3, UNTIL, null],
  ['was postponed under the present settings', { dueAt: UNTIL, postponement }, 3, DUE, postponement],
  ['was postponed by a process with newer settings', { dueAt: UNTIL, postponement }, 2, DUE, postponement],
  ['was postponed under earlier settings', { dueAt: UNTIL, postponement }, 4, DUE, null],
  ['has had another due time since', { dueAt: MOVED, postponement }, 3, MOVED, null],
  ['has had nothing due since', { dueAt: null, postponement }, 3, null, null],
])(
  'a lead that %s has its own due time, and its postponement while it is valid',
  (_what, lead, revision, due, valid) => {
    expect(getLeadDueAt(lead)).toEqual(due);
    expect(findPostponement(lead, { revision })).toEqual(valid);
  },
);
