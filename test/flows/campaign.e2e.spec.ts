import { DEEP, mailSandbox, rounds } from '@testing';
import { type api, type Outreach } from '@outreach/client';
import { activated } from '../campaigns/campaigns';
import { acceptedFrom, type AcceptedMail, createClient, type Platform, sendingFigures, violations } from '../harness';
import { type SeededWorkspace, sharedPlatform } from '../harness';
import { isEventually, sendingRests } from '../harness/sending';
import { connected, type Mailbox } from '../mailboxes/sandbox';

/** Enough leads and follow-ups to detect an uneven spread over the mailboxes. */
const LEADS = rounds(300, 24);
const MAILBOXES = ['Grace', 'Alan', 'Edsger'];
const EACH = LEADS / MAILBOXES.length;
const STEPS = 3;
const HOUR_MS = 3_600_000;
/** Step of the clock, through days and nights. */
const STEP_MS = (DEEP ? 2 : 8) * HOUR_MS;
/** A Monday, two hours before the window opens in New York. */
const MONDAY = new Date('2027-03-08T12:00:00Z');
const LINK = 'https://example.com/offer?a=1&amp;b=2';
/** The window is open from 14:00 to 22:00 UTC, and from 13:00 to 21:00 when summer time has begun on 14 March. */
const SCHEDULE = { timezone: 'America/New_York', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] };

interface Received {
  text: string;
  html: string;
  headers: { name: string; value: string }[];
}

describe('a campaign on the sandbox, from its start to its completion', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailboxes: Mailbox[];
  let outreach: Outreach;
  let campaign: api.CampaignsCreateAnswer['data'];
  let accepted: AcceptedMail[];
  /** Accepted emails by recipient, in the order of the steps. */
  const byLead = new Map<string, AcceptedMail[]>();

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    platform.clock.advance(MONDAY.getTime() - Date.now());
    workspace = await platform.seed.workspace();
    mailboxes = await Promise.all(
      MAILBOXES.map((displayName) =>
        connected(platform, workspace, { displayName, sendGapSeconds: 0, dailySendLimit: Math.ceil(EACH * 1.1) }),
      ),
    );
    outreach = createClient(platform, workspace.key);
    campaign = await outreach.campaigns.create({
      name: 'Autumn',
      mailboxes: mailboxes.map(({ _id }) => _id),
      emailIntervalMinutes: 0,
      sendingSchedule: SCHEDULE,
      trackOpens: true,
      trackClicks: true,
      sequence: [
        { subject: 'Hello {{firstName}}', body: `<p>First, {{firstName}}: <a href="${LINK}">the offer</a></p>` },
        { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days' } },
        { subject: '', body: '<p>Third</p>', delay: { value: 30, unit: 'hours' } },
      ],
    });
    const leads = Array.from({ length: LEADS }, (_, index) => ({
      email: `lead-${index}@${campaign._id}.people.test`,
      firstName: `Number${index}`,
    }));
    const { created } = await outreach.campaigns.leads.create(campaign._id, { leads });
    expect(created).toBe(LEADS);
    await activated(platform, workspace.workspaceId, campaign._id);
    await isEventually(async () => {
      await platform.tick();
      if (!(await sendingRests(platform, workspace.workspaceId, 60_000)))
        throw new Error('Sending does not become idle');
      if ((await read()).status === 'completed') return true;
      platform.clock.advance(STEP_MS);
      return false;
    }, 480_000);
    accepted = await acceptedFrom(new Set(mailboxes.map(({ email }) => email)));
    for (const mail of accepted) byLead.set(mail.to.join(), [...(byLead.get(mail.to.join()) ?? []), mail]);
  }, 600_000);
  afterAll(() => platform.close());

  const read = () => outreach.campaigns.get(campaign._id);
  const received = async ({ queueId }: AcceptedMail) => {
    const mail = (await (await fetch(`${mailSandbox().webUrl}/api/messages/${queueId}`)).json()) as Received;
    const header = (name: string) => mail.headers.filter((one) => one.name.toLowerCase() === name.toLowerCase());
    return { ...mail, header: (name: string) => header(name).map(({ value }) => value) };
  };

  it('violates no invariant: every email once, no lead forgotten, all figures right, within windows and limits', async () => {
    expect(await violations(platform, workspace.workspaceId, { settled: true })).toEqual([]);
    expect(await sendingFigures(platform, workspace.workspaceId)).toEqual({
      sends: LEADS * STEPS,
      accepted: LEADS * STEPS,
      duplicates: 0,
      losses: 0,
      ambiguous: 0,
      failed: 0,
    });
  });

  it('is completed, and its records show all outcomes', async () => {
    const { status, stats, leadCounts, completedAt } = await read();
    expect({ status, sent: stats.sent, leadCounts }).toEqual({
      status: 'completed',
      sent: LEADS * STEPS,
      leadCounts: {
        total: LEADS,
        active: 0,
      },
    });
    expect(completedAt).not.toBeNull();
  });

  it('sends each lead all steps in order, from the mailbox that wrote first', () => {
    expect(byLead.size).toBe(LEADS);
    for (const [email, mails] of byLead) {
      const subjects = mails.map(({ subject }) => subject);
      const name = `Number${/\d+/.exec(email)?.[0]}`;
      expect(subjects).toEqual([`Hello ${name}`, `Re: Hello ${name}`, `Re: Hello ${name}`]);
      expect(new Set(mails.map(({ from }) => from)).size).toBe(1);
    }
  });

  it('spreads new leads evenly over the mailboxes', () => {
    const taken = mailboxes.map(({ email }) => [...byLead.values()].filter(([first]) => first?.from === email).length);
    expect(taken.reduce((sum, one) => sum + one)).toBe(LEADS);
    expect(Math.max(...taken) - Math.min(...taken)).toBeLessThanOrEqual(2 + Math.floor(EACH / 25));
  });

  it('threads the follow-ups', async () => {
    for (const mails of [...byLead.values()].slice(0, 10)) {
      const [first, second, third] = await Promise.all(mails.map(received));
      const [one, two] = mails.map(({ messageId }) => messageId);
      expect([first?.header('In-Reply-To'), first?.header('References')]).toEqual([[], []]);
      expect([second?.header('In-Reply-To'), second?.header('References')]).toEqual([[one], [one]]);
      expect([third?.header('In-Reply-To'), third?.header('References')]).toEqual([[two], [`${one} ${two}`]]);
    }
  });

  it('contains an unsubscribe link, readable plain text, and the tracking of the campaign’s settings', async () => {
    for (const mails of [...byLead.values()].slice(-10)) {
      for (const [step, mail] of (await Promise.all(mails.map(received))).entries()) {
        const [unsubscribe] = mail.header('List-Unsubscribe');
        expect(unsubscribe).toMatch(/^<https?:\/\/[^>,]+>$/);
        expect(mail.header('List-Unsubscribe-Post')).toEqual(['List-Unsubscribe=One-Click']);
        expect(mail.html).toContain(unsubscribe?.slice(1, -1));
        expect(mail.text).toContain(['First, Number', 'Second', 'Third'][step]);
        expect(mail.html).toMatch(/<img[^>]+src="https?:\/\/[^"]+"/);
        expect(mail.html).not.toContain('example.com/offer');
      }
      const first = await received(mails[0]!);
      expect(first.html).toMatch(/<a href="https?:\/\/[^"]+">the offer<\/a>/);
      expect(first.text).toContain('https://example.com/offer?a=1&b=2');
    }
  });
});
