import { type AppError, conflict } from '@platform/errors';
import { type CampaignStatus } from './schemas/campaign.record';

/** The transitions of a campaign. */
export type CampaignMove = 'start' | 'pause' | 'resume' | 'complete' | 'archive' | 'change' | 'delete';

interface Rule {
  from: readonly CampaignStatus[];
  /** null: the status stays. */
  to: CampaignStatus | null;
  /** "Only … can be paused". */
  only: string;
}

const RULES: Record<CampaignMove, Rule> = {
  start: {
    from: ['draft', 'paused', 'completed'],
    to: 'active',
    only: 'a draft, a paused or a completed campaign can be started',
  },
  pause: { from: ['active'], to: 'paused', only: 'an active campaign can be paused' },
  resume: { from: ['paused'], to: 'active', only: 'a paused campaign can be resumed' },
  complete: { from: ['active'], to: 'completed', only: 'an active campaign can complete' },
  archive: {
    from: ['draft', 'paused', 'completed'],
    to: 'archived',
    only: 'a campaign that is not active can be archived, once',
  },
  change: {
    from: ['draft', 'active', 'paused', 'completed'],
    to: null,
    only: 'a campaign that is not archived can be changed',
  },
  delete: {
    from: ['draft', 'paused', 'completed', 'archived'],
    to: null,
    only: 'a campaign that is not active can be deleted; pause it first',
  },
};

/** The status after a move; null for a move that is not allowed from there. */
export function after(move: CampaignMove, status: CampaignStatus): CampaignStatus | null {
  const { from, to } = RULES[move];
  return from.includes(status) ? (to ?? status) : null;
}

/** The status after a move. @throws CONFLICT naming the current status */
export function requireMove(move: CampaignMove, status: CampaignStatus): CampaignStatus {
  const next = after(move, status);
  if (next === null) throw illegalMove(move, status);
  return next;
}

function illegalMove(move: CampaignMove, status: CampaignStatus): AppError {
  return conflict(`This campaign is ${status}; only ${RULES[move].only}`);
}
