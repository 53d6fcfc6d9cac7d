import { randomBytes } from 'node:crypto';
import { type Campaign, newCampaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace } from '../harness';
import { type Added } from '../leads/lead-responses';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';

export interface ScenarioOptions {
  mailboxes?: number;
  steps?: number;
  /** Settings of the campaign and of the mailboxes that differ. */
  campaign?: object;
  mailbox?: object;
  /** Names of the recipients: `name-of-a-fault.something`. */
  leads: readonly string[];
}

export async function createMailboxes(
  platform: Platform,
  workspace: SeededWorkspace,
  options: Pick<ScenarioOptions, 'mailboxes' | 'mailbox'>,
): Promise<Mailbox[]> {
  const mailboxes: Mailbox[] = [];
  for (let index = 0; index < (options.mailboxes ?? 1); index += 1) {
    const more = { sendGapSeconds: 0, dailySendLimit: 5_000, ...options.mailbox };
    mailboxes.push(await connected(platform, workspace, more));
  }
  return mailboxes;
}

/** A campaign without limits, whose name is a unique text that is in each of its emails. */
export function createCampaign(
  platform: Platform,
  workspace: SeededWorkspace,
  mailboxes: readonly Mailbox[],
  options: Pick<ScenarioOptions, 'steps' | 'campaign'>,
): Promise<Campaign> {
  const canary = `canary-${randomBytes(8).toString('hex')}`;
  return newCampaign(platform, workspace, {
    name: canary,
    mailboxes: mailboxes.map(({ _id }) => _id),
    emailIntervalMinutes: 0,
    sendingSchedule: { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] },
    sequence: Array.from({ length: options.steps ?? 2 }, (_, order) => ({
      subject: order === 0 ? 'Hello' : '',
      body: `<p>Number ${order} of ${canary}</p>`,
      delay: { value: 0, unit: 'hours' },
    })),
    ...options.campaign,
  });
}

/** Adds leads with these local parts, in a domain of their own. */
export async function createLeads(
  platform: Platform,
  workspace: SeededWorkspace,
  campaign: Campaign,
  names: readonly string[],
): Promise<Added['leads']> {
  const domain = `${randomBytes(4).toString('hex')}.people.test`;
  const leads = names.map((name) => ({ email: `${name}@${domain}` }));
  const path = `/v1/campaigns/${campaign._id}/leads`;
  return dataOf<Added>(await platform.api.as(workspace.key).post(path).send({ leads }).expect(201)).leads;
}

/** Leads that are still active, with the platform’s explanation of each. */
export async function explainActiveLeads(
  platform: Platform,
  workspace: SeededWorkspace,
  campaign: Campaign,
): Promise<string[]> {
  const path = `/v1/campaigns/${campaign._id}/leads`;
  const api = platform.api.as(workspace.key);
  const active = dataOf<{ _id: string; email: string }[]>(await api.get(`${path}?status=active&limit=100`).expect(200));
  return Promise.all(
    active.map(async ({ _id, email }) => {
      const { body } = await api.get(`${path}/${_id}/explain`).expect(200);
      return `${email} is active: ${JSON.stringify(body)}`;
    }),
  );
}
