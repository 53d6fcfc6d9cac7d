import { type Platform, type SeededWorkspace } from '../harness';
import { Leads } from '../leads/leads';
import { type Campaign, readyCampaign } from './campaigns';

/** Always open, without an interval: only what a test sets limits the sending. */
export const OPEN_ALWAYS = {
  emailIntervalMinutes: 0,
  sendingSchedule: { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] },
};
/** A Wednesday. */
export const WEDNESDAY = new Date('2026-11-25T06:30:00.000Z');

/** A campaign with one mailbox, two steps and the given number of leads. */
export async function campaignWithLeads(
  platform: Platform,
  workspace: Pick<SeededWorkspace, 'key' | 'workspaceId'>,
  count: number,
  more: object = {},
): Promise<Campaign & { leads: string[] }> {
  const campaign = await readyCampaign(platform, workspace, { ...OPEN_ALWAYS, ...more });
  const leads = Array.from({ length: count }, (_, at) => ({ email: `lead${at}@d${at}.test`, firstName: 'Ada' }));
  const added = await new Leads(platform, workspace, campaign._id).post({ leads }).expect(201);
  const { data } = added.body as { data: { leads: { _id: string }[] } };
  return { ...campaign, leads: data.leads.map(({ _id }) => _id) };
}
