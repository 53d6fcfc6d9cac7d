import { randomBytes } from 'node:crypto';
import { DEEP, eventually, mailSandbox, rounds } from '@testing';
import { type api, type Outreach } from '@outreach/client';
import { activated } from '../campaigns/campaigns';
import { OPEN_ALWAYS } from '../campaigns/insight';
import { CommandLine } from '../cli/command-line';
import {
  acceptedFrom,
  type AcceptedMail,
  createClient,
  type ForbiddingAct,
  type Platform,
  type SeededWorkspace,
  sendingFigures,
  startPlatform,
  violations,
} from '../harness';
import { sendingRests } from '../harness/sending';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { CHROME } from '../tracking/tracked';
import { answerTo } from './inbox-replies';
import { LEAD_CASES, type LeadCase, sumOf } from './inbox-leads';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SCANNER = 'Mozilla/5.0 (compatible; MailSandbox-LinkScanner/1.0)';
/** The address from which `alias` replies does not exist. */
const GONE = 'rcpt-550';

/** Paths of the links of an email. */
interface Links {
  pixel: string;
  all: string[];
  unsubscribe: string;
}

describe('a campaign on the sandbox, with replies, bounces and complaints', () => {
  /** Long enough that the absent person is back in three days. */
  const run = randomBytes(7).toString('hex');
  const acts: ForbiddingAct[] = [];
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailboxes: Mailbox[];
  let outreach: Outreach;
  let campaign: api.CampaignsCreateAnswer['data'];
  let began: string;
  let reply: api.ReplyResponse;
  let refused: api.ReplyResponse;

  const addressOf = ({ name, domain }: Pick<LeadCase, 'name' | 'domain'>) => `${name}.${run}@${domain}`;
  const person = (name: string) => addressOf(LEAD_CASES.find((part) => part.name === name)!);
  const lead = async (address: string) =>
    (await outreach.campaigns.leads.list(campaign._id, { search: address })).data[0]!;
  const accepted = () => acceptedFrom(new Set(mailboxes.map(({ email }) => email)));
  const givenTo = async (address: string) => (await accepted()).filter(({ to }) => to.join() === address);
  const becomeIdle = async () => {
    if (!(await sendingRests(platform, workspace.workspaceId, 60_000))) throw new Error('Sending does not become idle');
  };
  /** Advances the clock and lets the mailboxes do what is due. */
  const after = async (milliseconds: number): Promise<void> => {
    platform.clock.advance(milliseconds);
    await platform.tick();
    await becomeIdle();
    await platform.drain();
    await becomeIdle();
  };
  /** Asserts that no server gets an email for the address from now on. */
  const forbidden = (what: string, address: string, until?: Date): void => {
    const at = platform.clock.now();
    acts.push({
      what: `${what} of ${address}`,
      at,
      ...(until && { until }),
      forbids: ({ email }) => email === address,
    });
  };

  async function answers(name: string, from = person(name), email = 0): Promise<void> {
    const mail = (await givenTo(person(name)))[email]!;
    const to = encodeURIComponent(mail.from);
    const body = answerTo(mail, name, from);
    const delivered = await fetch(`${mailSandbox().webUrl}/api/deliver?to=${to}`, { method: 'POST', body });
    expect(delivered.ok).toBe(true);
  }

  async function stopped(name: string, reason: string): Promise<api.LeadResponse> {
    const address = person(name);
    await eventually(`${name} is ${reason}`, async () => (await lead(address)).stopReason === reason, 20_000);
    const found = await lead(address);
    forbidden(reason, address, found.resumeAt === null ? undefined : new Date(found.resumeAt));
    return found;
  }

  async function linksOf({ queueId }: AcceptedMail): Promise<Links> {
    const response = await fetch(`${mailSandbox().webUrl}/api/messages/${queueId}`);
    const { html, headers } = (await response.json()) as { html: string; headers: { name: string; value: string }[] };
    const header = headers.find(({ name }) => name.toLowerCase() === 'list-unsubscribe')?.value ?? '';
    const all = [...html.matchAll(/(?:href|src)="https:\/\/go\.example\.test([^"]+)"/g)].map(([, path]) => path!);
    return {
      all,
      pixel: all.find((path) => path.startsWith('/t/o/'))!,
      unsubscribe: new URL(header.slice(1, -1)).pathname,
    };
  }

  const visit = (path: string, agent = CHROME) => platform.api.get(path).set('User-Agent', agent);

  beforeAll(async () => {
    platform = await startPlatform({ worker: true, env: { PUBLIC_URL: 'https://go.example.test' } });
    began = platform.clock.now().toISOString().slice(0, 10);
    workspace = await platform.seed.workspace();
    mailboxes = await Promise.all(
      ['Grace', 'Alan', 'Edsger'].map((displayName) =>
        connected(platform, workspace, { displayName, sendGapSeconds: 0, dailySendLimit: 200 }),
      ),
    );
    await platform.listen();
    outreach = createClient(platform, workspace.key);
    campaign = await outreach.campaigns.create({
      ...OPEN_ALWAYS,
      name: 'Autumn',
      mailboxes: mailboxes.map(({ _id }) => _id),
      stopOnReply: true,
      trackOpens: true,
      trackClicks: true,
      sequence: [
        { subject: 'Your roadmap', body: '<p>First: <a href="https://example.com/offer">the offer</a></p>' },
        { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days' } },
        { subject: '', body: '<p>Third</p>', delay: { value: 1, unit: 'days' } },
      ],
    });
    const input = LEAD_CASES.map((part) => ({ email: addressOf(part) }));
    for (let at = 0; at < input.length; at += 100) {
      await outreach.campaigns.leads.create(campaign._id, { leads: input.slice(at, at + 100) });
    }
    await activated(platform, workspace.workspaceId, campaign._id);
    await becomeIdle();
  });
  afterAll(() => platform.close());

  it('reads replies, bounces, complaints and out-of-office messages automatically', async () => {
    await Promise.all(['german', 'french', 'spanish'].map((name) => answers(name)));
    await answers('alias', `${GONE}.${run}@people.test`);
    for (const { name, stopReason, emails } of LEAD_CASES) {
      if (emails <= 1 && !['page', 'one-click'].includes(name)) await stopped(name, stopReason);
    }
    const away = await stopped('ooo-de', 'auto_replied');
    const days = (Date.parse(away.resumeAt ?? '') - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(1);
    expect(days).toBeLessThan(5);
    expect(away.status).toBe('paused');
  });

  it('counts opens and clicks of people, and excludes scanners', async () => {
    platform.clock.advance(MINUTE_MS);
    const [opened, clicked, scanned] = await Promise.all(
      ['opens', 'clicks', 'scans'].map(async (name) => linksOf((await givenTo(person(name)))[0]!)),
    );
    for (let times = 0; times < 3; times += 1) await visit(opened!.pixel).expect(200);
    await visit(clicked!.pixel).expect(200);
    const link = clicked!.all.find((path) => path.startsWith('/t/c/'))!;
    await visit(link).expect(302).expect('Location', 'https://example.com/offer');
    // Every link, including the trap and the unsubscribe page.
    expect(scanned!.all.filter((path) => path.startsWith('/t/h/') || path.startsWith('/u/'))).toHaveLength(2);
    for (const path of scanned!.all) await visit(path, SCANNER);
    await eventually('the hits are classified', async () => {
      await after(MINUTE_MS);
      return (await outreach.campaigns.get(campaign._id)).stats.clicked === 1;
    });
    expect((await lead(person('scans'))).status).toBe('active');
  });

  it('unsubscribes people by the page and by one click, with effect at the response', async () => {
    const [page, oneClick] = await Promise.all(
      ['page', 'one-click'].map(async (name) => linksOf((await givenTo(person(name)))[0]!)),
    );
    await visit(page!.unsubscribe).expect(200);
    expect((await lead(person('page'))).status).toBe('active');
    await platform.api.post(page!.unsubscribe).type('form').send({ by: 'page' }).expect(200);
    forbidden('the button', person('page'));
    const twice = () => platform.api.post(oneClick!.unsubscribe).type('form').send({ 'List-Unsubscribe': 'One-Click' });
    await twice().expect(200);
    forbidden('one click', person('one-click'));
    await twice().expect(200);
    for (const name of ['page', 'one-click']) await stopped(name, 'unsubscribed');
  });

  it('sends a person’s reply once, in the thread, and reports an unknown address', async () => {
    const { data: conversations } = await outreach.inbox.list({ limit: 100 });
    const writtenTo = async (name: string) => {
      const { _id } = conversations.find(({ email }) => email === person(name))!;
      const asked = await outreach.inbox.reply(_id, { body: '<p>Tuesday?</p>' });
      const written = () => outreach.inbox.replies.get(_id, asked._id);
      await eventually(`${name} gets an answer`, async () => ['sent', 'failed'].includes((await written()).status));
      return written();
    };
    reply = await writtenTo('reply-positive-gmail');
    refused = await writtenTo('alias');
    expect(reply.status).toBe('sent');
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('550') as string });
    const [first, second, ...more] = await givenTo(person('reply-positive-gmail'));
    expect(more).toEqual([]);
    expect(second).toMatchObject({ messageId: reply.messageId, from: first!.from, subject: 'Re: Your roadmap' });
  });

  it('sends all further steps to the remaining leads, and completes', async () => {
    await after(DAY_MS);
    await answers('late', person('late'), 1);
    await stopped('late', 'replied');
    let status = '';
    for (let at = 0; at < 20 && status !== 'completed'; at += 1) {
      await after(DEEP ? 12 * HOUR_MS : 2 * DAY_MS);
      ({ status } = await outreach.campaigns.get(campaign._id));
    }
    expect(status).toBe('completed');
    // Long after every due time.
    for (let week = 0; week < rounds(4, 1); week += 1) await after(7 * DAY_MS);
  });

  it('has sent every due email, and no other', async () => {
    const counted = Map.groupBy(await accepted(), ({ to }) => to.join());
    const sent = Object.fromEntries(
      LEAD_CASES.map((part) => [addressOf(part), counted.get(addressOf(part))?.length ?? 0]),
    );
    const due = Object.fromEntries(LEAD_CASES.map((part) => [addressOf(part), part.emails]));
    expect(sent).toEqual({ ...due, [person('reply-positive-gmail')]: 2 });
    const { workspaceId } = workspace;
    expect(acts.length).toBeGreaterThan(12);
    expect(await violations(platform, workspaceId, { settled: true, acts })).toEqual([]);
    const total = sumOf(({ emails }) => emails);
    const none = { duplicates: 0, losses: 0, ambiguous: 0 };
    expect(await sendingFigures(platform, workspaceId)).toEqual({ sends: total, accepted: total, ...none, failed: 1 });
  });

  it('shows the status of each lead, and its reason', async () => {
    const found = new Map<string, api.LeadResponse>();
    for await (const one of outreach.campaigns.leads.list(campaign._id, { limit: 100 })) found.set(one.email, one);
    const states = LEAD_CASES.map((part) => {
      const { status, stopReason } = found.get(addressOf(part))!;
      return [part.name, status, stopReason];
    });
    expect(states).toEqual(LEAD_CASES.map(({ name, status, stopReason }) => [name, status, stopReason]));
  });

  it('shows the conversations with people who replied, and their labels', async () => {
    const { data: shown } = await outreach.inbox.list({ limit: 100 });
    const labels = Object.fromEntries(shown.map(({ email, label }) => [email, label]));
    const talking = LEAD_CASES.filter(({ said }) => said);
    expect(labels).toEqual(Object.fromEntries(talking.map((part) => [addressOf(part), part.label])));
    for (const part of talking) {
      const { _id } = shown.find(({ email }) => email === addressOf(part))!;
      const { messages } = await outreach.inbox.get(_id);
      const campaigns = Array<string>(part.emails).fill('campaign');
      expect([part.name, messages.map(({ kind }) => kind).toSorted()]).toEqual([
        part.name,
        [...campaigns, ...part.said!].toSorted(),
      ]);
    }
    const german = shown.find(({ email }) => email === person('german'))!;
    const { messages } = await outreach.inbox.get(german._id);
    const said = messages.find(({ kind }) => kind === 'reply')!.text;
    expect(said).toBe('Guten Tag,\ndas klingt sehr interessant. Rufen Sie mich bitte morgen an.');
  });

  it('suppresses exactly the people who must not get mail', async () => {
    const { data: listed } = await outreach.suppressions.list({ limit: 100 });
    const expected = LEAD_CASES.flatMap((part) => (part.suppressed ? [[addressOf(part), part.suppressed]] : []));
    const sorted = (all: string[][]) => all.toSorted(([one = ''], [other = '']) => one.localeCompare(other));
    expect(sorted(listed.map(({ value, source }) => [value, source]))).toEqual(
      sorted([...expected, [`${GONE}.${run}@people.test`, 'bounce']]),
    );
  });

  const figure = (name: keyof NonNullable<LeadCase['counts']>, step?: number) =>
    sumOf(({ counts, step: at }) => (step === undefined || at === step ? (counts?.[name] ?? 0) : 0));
  const sentAt = (step: number) => sumOf(({ emails }) => (emails >= step ? 1 : 0));
  const inState = (state: string) => sumOf(({ status }) => (status === state ? 1 : 0));
  const figures = () => ({
    contacted: sentAt(1),
    sent: sumOf(({ emails }) => emails),
    opened: figure('opened'),
    clicked: figure('clicked'),
    replied: figure('replied'),
    positiveReplied: figure('positiveReplied'),
    bounced: figure('bounced'),
    unsubscribed: figure('unsubscribed'),
    autoReplied: figure('autoReplied'),
    complained: figure('complained'),
  });

  it('shows the figures in the documented analytics and in the campaign', async () => {
    const { contacted: _contacted, ...all } = figures();
    const step = (_id: number) => ({
      _id,
      sent: sentAt(_id),
      opened: figure('opened', _id),
      clicked: figure('clicked', _id),
      bounced: figure('bounced', _id),
    });
    const statuses = ['active', 'paused', 'completed', 'bounced', 'removed'];
    const { sent, opened, clicked, bounced, replied } = all;
    expect(await outreach.analytics.campaigns.get(campaign._id)).toEqual({
      campaign: { id: campaign._id, name: 'Autumn', status: 'completed' },
      stats: { totalLeads: LEAD_CASES.length, sent, opened, clicked, bounced, replied },
      stepStats: [step(1), step(2), step(3)],
      statusBreakdown: Object.fromEntries(statuses.map((status) => [status, inState(status)])),
      totalReplied: replied,
    });
    const { leadCounts, stats } = await outreach.campaigns.get(campaign._id);
    expect(leadCounts).toEqual({ total: LEAD_CASES.length, active: 0 });
    expect(stats).toMatchObject({ sent, opened, clicked, bounced, replied });
  });

  it('shows the same figures in the timeline, the overview and by mailbox', async () => {
    const to = platform.clock.now().toISOString().slice(0, 10);
    const days = { from: began, to, timezone: 'UTC' };
    const timeline = await outreach.analytics.campaigns.timeline(campaign._id, days);
    expect(timeline.totals).toEqual({ ...figures(), machineOpened: 1, machineClicked: 1 });
    const overview = await outreach.analytics.overview(days);
    expect(overview.totals).toEqual(figures());
    const { positiveReplied, contacted } = figures();
    const positiveReplyRate = Math.round((positiveReplied / contacted) * 10_000) / 10_000;
    expect(overview.headline).toEqual({ positiveReplied, contacted, positiveReplyRate });
    const { data: senders } = await outreach.analytics.mailboxes(days);
    const names = Object.keys(figures()) as (keyof ReturnType<typeof figures>)[];
    const sums = names.map((name) => [name, senders.reduce((sum, one) => sum + one.totals[name], 0)]);
    expect(Object.fromEntries(sums)).toEqual(figures());
    const totals = await Promise.all(mailboxes.map(({ _id }) => outreach.mailboxes.get(_id)));
    // Includes the reply that a person wrote.
    expect(totals.reduce((sum, { totalSent }) => sum + totalSent, 0)).toBe(figures().sent + 1);
  });

  it('has recorded every event once', async () => {
    const count = async (type: string) => {
      const query = { type: type as api.EventResponse['type'], campaignId: campaign._id, limit: 1 };
      return (await outreach.events.list(query)).pagination.total;
    };
    const { contacted: _contacted, positiveReplied, autoReplied, ...all } = figures();
    const expected = {
      ...Object.fromEntries(Object.entries(all).map(([name, times]) => [`email.${name}`, times])),
      'email.positive_reply': positiveReplied,
      'email.auto_replied': autoReplied,
      'email.failed': 0,
      'lead.completed': LEAD_CASES.length,
      'campaign.started': 1,
      'campaign.paused': 0,
      'campaign.completed': 1,
    };
    const counts = await Promise.all(Object.keys(expected).map(async (type) => [type, await count(type)] as const));
    expect(Object.fromEntries(counts)).toEqual(expected);
  });

  it('passes `stats rebuild --check`', async () => {
    const found = await new CommandLine(platform).json('stats', 'rebuild', '--check');
    expect(found).toEqual({ workspaces: 1, campaigns: 1, differences: [] });
  });
});
