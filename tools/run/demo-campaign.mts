import type { api, Outreach } from '../../clients/typescript/src/index.ts';
import type { Demo } from './demo.mts';

/** The facts of the demo campaign for the banner. */
export interface DemoCampaign {
  campaignId: string;
  /** One of its leads, as an example. */
  leadId: string;
}

const NAME = 'Demo: a question';

/** A schedule without closed hours, so that the demo sends at any time. */
const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };

const SEQUENCE = [
  {
    name: 'A question',
    subject: 'A question, {{firstName}}',
    body:
      '<p>{{ spin: "Hi", "Hello" }} {{firstName}},</p><p>who looks after outreach at ' +
      '{{companyName | default: "your company"}}? <a href="https://example.com/how">This is how we do it</a>.</p>' +
      '<p>{{senderName | default: "The demo"}}</p>',
  },
  {
    name: 'Once more',
    subject: '',
    body: '<p>Hi {{firstName}}, just in case it was lost: is there someone else whom I should ask?</p>',
    delay: { value: 1, unit: 'hours' },
  },
] satisfies api.StepRequest[];

/** The name of a prospect decides its behaviour; tools/mail-sandbox/README.md lists the names. */
const PROSPECTS = [
  ['silent.sam', 'Sam'],
  ['open.olga', 'Olga'],
  ['click.clara', 'Clara'],
  ['scanner.scott', 'Scott'],
  ['reply-positive.joe', 'Joe'],
  ['reply-negative.nina', 'Nina'],
  ['reply-neutral.noah', 'Noah'],
  ['reply-unsubscribe.ute', 'Ute'],
  ['ooo-en.oscar', 'Oscar'],
  ['ooo-de.otto', 'Otto'],
  ['one-click.uma', 'Uma'],
  // These two answer during the handover: "later", which is retried, and "no such user".
  ['greylist.greta', 'Greta'],
  ['rcpt-550.ivan', 'Ivan'],
  // This one accepts the mail and sends a report afterwards.
  ['bounce-postfix-unknown.bea', 'Bea'],
  ['bounce-exchange-full.finn', 'Finn'],
  // Reports the mail as spam.
  ['complain.carl', 'Carl'],
] as const;

export const DEMO_LEADS = PROSPECTS.map(([name, firstName]) => ({
  email: `${name}@prospects.test`,
  firstName,
  companyName: 'Prospects Ltd',
}));
const SHOWN = 'reply-positive.joe@prospects.test';

type Campaign = Pick<api.CampaignListItem, '_id' | 'status'>;

/**
 * Creates and starts a campaign in the demo workspace through the API. An existing one stays unchanged; one that an
 * interrupted start left incomplete is completed.
 */
export async function ensureDemoCampaign(outreach: Outreach, mailboxes: readonly string[]): Promise<DemoCampaign> {
  try {
    const { _id: campaignId, status } = (await existing(outreach)) ?? (await create(outreach, mailboxes));
    if (status === 'draft') {
      await outreach.campaigns.leads.create(campaignId, { leads: DEMO_LEADS });
      await outreach.campaigns.start(campaignId);
    }
    const { data: leads } = await outreach.campaigns.leads.list(campaignId, { search: SHOWN });
    return { campaignId, leadId: leads[0]?._id ?? '' };
  } catch (error) {
    throw new Error(`the demo campaign could not be created: ${(error as Error).message}`, { cause: error });
  }
}

/** Requests that show the campaign at work. */
export function demoRequests(apiUrl: string, { workspaceKey }: Demo, { campaignId, leadId }: DemoCampaign): string[] {
  const campaign = `${apiUrl}/v1/campaigns/${campaignId}`;
  const curl = `curl -H 'X-Api-Key: ${workspaceKey}'`;
  return [
    // The documented API requires the key in both headers here.
    `${curl} -H 'Authorization: Bearer ${workspaceKey}' ${campaign}`,
    `${curl} ${campaign}/diagnostics`,
    ...(leadId ? [`${curl} ${campaign}/leads/${leadId}/explain`] : []),
  ];
}

async function existing(outreach: Outreach): Promise<Campaign | undefined> {
  for await (const campaign of outreach.campaigns.list({ search: NAME })) if (campaign.name === NAME) return campaign;
  return undefined;
}

async function create(outreach: Outreach, emails: readonly string[]): Promise<Campaign> {
  const mailboxes: string[] = [];
  for await (const { _id, email } of outreach.mailboxes.list()) if (emails.includes(email)) mailboxes.push(_id);
  return outreach.campaigns.create({
    name: NAME,
    mailboxes,
    sequence: SEQUENCE,
    sendingSchedule: ALWAYS,
    emailIntervalMinutes: 0,
    trackOpens: true,
    trackClicks: true,
  });
}
