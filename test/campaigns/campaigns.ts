import { type ApiClient } from '@testing';
import { CampaignStatusService } from '@domain/campaigns';
import { systemScope } from '@domain/access';
import { type Platform, type SeededWorkspace } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';

export interface Step {
  _id: string;
  name: string;
  order: number;
  delay: { value: number; unit: string; workingDaysOnly: boolean };
  variants: { _id: string; name: string; subject: string; body: string; weight: number }[];
}

export interface Campaign {
  _id: string;
  name: string;
  status: string;
  mailboxes: string[];
  sequence: { name: string; order: number; subject: string; body: string; type: string }[];
  sendingSchedule: { timezone: string; startTime: string; endTime: string; workingDays: number[] };
  leadCounts: { total: number; active: number };
  stats: Record<string, number>;
  startedAt: string | null;
  completedAt: string | null;
  [field: string]: unknown;
}

export const SEQUENCE = [
  { subject: 'Hello {{firstName}}', body: '<p>First</p>' },
  { subject: '', body: '<p>Second</p>' },
];

/** Sends the key as bearer too, as the contract’s own reads require. */
export function readCampaign(platform: Platform, key: string, id: string) {
  return asBoth(platform.api, key).get(`/v1/campaigns/${id}`);
}

export function asBoth(api: ApiClient, key: string): ApiClient {
  return api.as(key).with({ Authorization: `Bearer ${key}` });
}

export async function newCampaign(
  platform: Platform,
  { key }: Pick<SeededWorkspace, 'key'>,
  more: object = {},
): Promise<Campaign> {
  return dataOf<Campaign>(
    await platform.api
      .as(key)
      .post('/v1/campaigns')
      .send({ name: 'Autumn', ...more }),
  );
}

/** A campaign with one mailbox and two steps. */
export async function readyCampaign(
  platform: Platform,
  workspace: Pick<SeededWorkspace, 'key' | 'workspaceId'>,
  more: object = {},
): Promise<Campaign> {
  const { _id } = await seededMailbox(platform, workspace.workspaceId);
  return newCampaign(platform, workspace, { mailboxes: [_id], sequence: SEQUENCE, ...more });
}

/**
 * A schedule whose window does not open during a test: on a weekday that is neither today nor tomorrow in any zone. A
 * worker neither sends for such a campaign nor completes it for lack of leads.
 */
export function shut(): Campaign['sendingSchedule'] {
  const farDay = ((new Date().getUTCDay() + 3 + 6) % 7) + 1;
  return { timezone: 'UTC', startTime: '00:00', endTime: '00:01', workingDays: [farDay] };
}

/** Activates the campaign as a start does after all its checks. */
export async function activated(platform: Platform, workspaceId: string, campaignId: string): Promise<void> {
  const transitions = platform.app.get(CampaignStatusService, { strict: false });
  const workspace = systemScope(workspaceId);
  await transitions.notify(workspace, await transitions.activate(workspace, campaignId));
}
