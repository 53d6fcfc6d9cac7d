import type { Demo } from './demo.mts';

/** What the banner says of the demo campaign. */
export interface DemoCampaign {
  campaignId: string;
  /** One of its leads, to look at. */
  leadId: string;
}

const NAME = 'Demo: a question';

/** Somebody is always in the office. */
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
    body: '<p>Hi {{firstName}}, just in case it was lost: is there somebody whom I should ask?</p>',
    delay: { value: 1, unit: 'hours' },
  },
];

/** Who they are decides what they do; tools/mail-sandbox/README.md has the names. */
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
  // These two answer when the mail is handed over: "later", which is tried again, and "no such user".
  ['greylist.greta', 'Greta'],
  ['rcpt-550.ivan', 'Ivan'],
  // This one takes it and sends a report afterwards.
  ['bounce-postfix-unknown.bea', 'Bea'],
  ['bounce-exchange-full.finn', 'Finn'],
  // Calls it spam.
  ['complain.carl', 'Carl'],
] as const;

export const DEMO_LEADS = PROSPECTS.map(([name, firstName]) => ({
  email: `${name}@prospects.test`,
  firstName,
  companyName: 'Prospects Ltd',
}));
const SHOWN = 'reply-positive.joe@prospects.test';

interface Listed {
  _id: string;
  name?: string;
  email?: string;
  status: string;
}

export type Call = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<T>;

/**
 * Makes and starts a campaign of the demo workspace, as a client would. One that is there stays as it is; one that an earlier
 * start did not finish making is finished.
 */
export async function ensureDemoCampaign(
  apiUrl: string,
  demo: Demo,
  mailboxes: readonly string[],
): Promise<DemoCampaign> {
  const call = client(apiUrl, demo);
  const { _id: campaignId, status } = (await existing(call)) ?? (await create(call, mailboxes));
  if (status === 'draft') {
    await call('POST', `/campaigns/${campaignId}/leads`, { leads: DEMO_LEADS });
    await call('POST', `/campaigns/${campaignId}/start`);
  }
  const leads = await call<Listed[]>('GET', `/campaigns/${campaignId}/leads?search=${encodeURIComponent(SHOWN)}`);
  return { campaignId, leadId: leads[0]?._id ?? '' };
}

/** Requests that show the campaign at work. */
export function demoRequests(apiUrl: string, { workspaceKey }: Demo, { campaignId, leadId }: DemoCampaign): string[] {
  const campaign = `${apiUrl}/v1/campaigns/${campaignId}`;
  const curl = `curl -H 'X-Api-Key: ${workspaceKey}'`;
  return [
    // The documented API asks for the key twice here.
    `${curl} -H 'Authorization: Bearer ${workspaceKey}' ${campaign}`,
    `${curl} ${campaign}/diagnostics`,
    ...(leadId ? [`${curl} ${campaign}/leads/${leadId}/explain`] : []),
  ];
}

async function existing(call: Call): Promise<Listed | undefined> {
  const found = await call<Listed[]>('GET', `/campaigns?search=${encodeURIComponent(NAME)}`);
  return found.find(({ name }) => name === NAME);
}

async function create(call: Call, emails: readonly string[]): Promise<Listed> {
  const connected = await call<Listed[]>('GET', '/mailboxes?limit=100');
  const mailboxes = connected.filter(({ email }) => emails.includes(email ?? '')).map(({ _id }) => _id);
  return call<Listed>('POST', '/campaigns', {
    name: NAME,
    mailboxes,
    sequence: SEQUENCE,
    sendingSchedule: ALWAYS,
    emailIntervalMinutes: 0,
    trackOpens: true,
    trackClicks: true,
  });
}

/** Requests with the key of the demo workspace; answers their `data`. */
export function client(apiUrl: string, { workspaceKey }: Pick<Demo, 'workspaceKey'>): Call {
  return async <T,>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${apiUrl}/v1${path}`, {
      method,
      // Some documented routes ask for the key twice.
      headers: {
        'X-Api-Key': workspaceKey,
        Authorization: `Bearer ${workspaceKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the demo could not be made (${method} ${path}): ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };
}
