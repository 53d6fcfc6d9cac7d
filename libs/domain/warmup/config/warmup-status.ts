import { type AppError, conflict } from '@platform/errors';
import { WARMING_STATUSES, type WarmupStatus } from '../schemas/warmup.record';

/** A change of status that a person requests. */
export type WarmupTransition = 'start' | 'pause' | 'stop';

interface Rule {
  from: readonly WarmupStatus[];
  /** "Only … can be paused". */
  only: string;
}

const RULES: Record<WarmupTransition, Rule> = {
  start: {
    from: ['not_started', 'paused', 'suspended'],
    only: 'one that is not started, paused or suspended can be started',
  },
  pause: { from: ['in_progress', 'completed'], only: 'one that is in_progress or completed can be paused' },
  stop: {
    from: ['in_progress', 'paused', 'completed', 'suspended'],
    only: 'one that was started can be stopped',
  },
};

/** Whether a warmup of this status allows the transition. */
function isPermitted(move: WarmupTransition, status: WarmupStatus): boolean {
  return RULES[move].from.includes(status);
}

/** @throws CONFLICT naming the current status */
export function requireTransition(move: WarmupTransition, status: WarmupStatus): void {
  if (!isPermitted(move, status)) throw createIllegalTransition(move, status);
}

/** Whether a warmup of this status sends mail: `enabled` in the contract. */
export function isWarming(status: WarmupStatus): boolean {
  return (WARMING_STATUSES as readonly WarmupStatus[]).includes(status);
}

function createIllegalTransition(move: WarmupTransition, status: WarmupStatus): AppError {
  return conflict(`The warmup of this mailbox is ${status}; only ${RULES[move].only}`);
}
