import { WARMUP_STATUSES, type WarmupStatus } from '../schemas/warmup.record';
import { isWarming, requireTransition, type WarmupTransition } from './warmup-status';

const TABLE: Record<WarmupTransition, Record<WarmupStatus, boolean>> = {
  start: { not_started: true, in_progress: false, paused: true, completed: false, suspended: true },
  pause: { not_started: false, in_progress: true, paused: false, completed: true, suspended: false },
  stop: { not_started: false, in_progress: true, paused: true, completed: true, suspended: true },
};

const cases = Object.entries(TABLE).flatMap(([move, row]) =>
  WARMUP_STATUSES.map((status) => [move as WarmupTransition, status, row[status]] as const),
);

describe('the status of a warmup', () => {
  it.each(cases)('on %s while %s: %s', (move, status, isAllowed) => {
    const act = () => requireTransition(move, status);
    if (isAllowed) expect(act).not.toThrow();
    else expect(act).toThrow(`The warmup of this mailbox is ${status}; only `);
  });

  it('allows mail while in progress and after completion', () => {
    expect(WARMUP_STATUSES.filter(isWarming)).toEqual(['in_progress', 'completed']);
  });
});
