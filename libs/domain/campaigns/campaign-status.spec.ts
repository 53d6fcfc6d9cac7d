import { after, type CampaignMove, requireMove } from './campaign-status';
import { CAMPAIGN_STATUSES, type CampaignStatus } from './schemas/campaign.record';

const TABLE: Record<CampaignMove, Record<CampaignStatus, CampaignStatus | null>> = {
  start: { draft: 'active', active: null, paused: 'active', completed: 'active', archived: null },
  pause: { draft: null, active: 'paused', paused: null, completed: null, archived: null },
  resume: { draft: null, active: null, paused: 'active', completed: null, archived: null },
  complete: { draft: null, active: 'completed', paused: null, completed: null, archived: null },
  archive: { draft: 'archived', active: null, paused: 'archived', completed: 'archived', archived: null },
  change: { draft: 'draft', active: 'active', paused: 'paused', completed: 'completed', archived: null },
  delete: { draft: 'draft', active: null, paused: 'paused', completed: 'completed', archived: 'archived' },
};

const cases = Object.entries(TABLE).flatMap(([move, row]) =>
  CAMPAIGN_STATUSES.map((status) => [move as CampaignMove, status, row[status]] as const),
);

describe('a campaign', () => {
  it.each(cases)('on %s while %s becomes %s', (move, status, expected) => {
    expect(after(move, status)).toBe(expected);
    if (expected !== null) expect(requireMove(move, status)).toBe(expected);
    else expect(() => requireMove(move, status)).toThrow(new RegExp(`This campaign is ${status}; only `));
  });
});
