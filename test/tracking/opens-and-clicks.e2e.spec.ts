import { rounds } from '@testing';
import { Types } from 'mongoose';
import { type Platform } from '../harness';
import { type Sent } from './sent';
import { CHROME, Tracked } from './tracked';

const SCANNER = { 'User-Agent': 'Mozilla/5.0 (compatible; Barracuda Sentinel)' };
const MINUTE = 60_000;
/** Number of floods of a hundred hits by one scanner; a quarter of them in each minute. */
const FLOODS = rounds(100, 4);

let tracked: Tracked;
let platform: Platform;

beforeAll(async () => {
  tracked = await Tracked.start();
  platform = tracked.platform;
});
// No hit of another test is left to classify.
beforeEach(() => tracked.classify());
afterAll(() => tracked.close());

describe('the pixel', () => {
  it('is one transparent pixel that no cache keeps and every mail program may show', async () => {
    const { open } = await tracked.sent();
    const { status, headers, body } = await tracked.get(open);
    expect({ status, size: (body as Buffer).length }).toEqual({ status: 200, size: 42 });
    expect((body as Buffer).toString('latin1', 0, 6)).toBe('GIF89a');
    expect(headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['ratelimit-limit']).toBeUndefined();
  });

  it('is the same pixel for a truncated, altered, swapped, unknown or missing token', async () => {
    const sent = await tracked.sent();
    const [, , , token = ''] = sent.open.slice(0, -4).split('/');
    const wrong = [
      token.slice(0, -1),
      `${token}A`,
      flipped(token),
      sent.clicks[0]!.slice(5),
      sent.unsubscribe.slice(3),
    ];
    const ofUnknown = tracked.tokens(new Types.ObjectId().toHexString(), 1).open.slice(5, -4);
    const good = await tracked.get(sent.open);
    for (const one of [...wrong, ofUnknown, 'x', 'a'.repeat(5_000), '__proto__', '$ne']) {
      const answer = await tracked.get(`/t/o/${one}.gif?constructor=1&__proto__=2`);
      expect({ status: answer.status, body: answer.body as unknown }).toEqual({
        status: 200,
        body: good.body as unknown,
      });
      expect(withoutIds(answer.headers)).toEqual(withoutIds(good.headers));
    }
    expect(await tracked.hits(sent)).toHaveLength(1);
    expect(await tracked.database.collection('tracking_hits').countDocuments({ sendId: null })).toBe(0);
  });

  it('counts a person once for any number of opens, and records an event', async () => {
    const before = await tracked.figures();
    const sent = await tracked.sent();
    await tracked.get(sent.open);
    await tracked.classify();
    platform.clock.advance(10 * MINUTE);
    await tracked.get(sent.open);
    await tracked.classify();
    expect(await tracked.verdicts(sent)).toEqual(['open: human (browser)', 'open: human (browser)']);
    expect(added(before, await tracked.figures())).toEqual({ opened: 1 });
    const [event, ...others] = await tracked.events('email.opened', sent);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      dedupeKey: `email.opened:${sent._id}`,
      mailboxId: new Types.ObjectId(tracked.mailboxId),
      campaignId: new Types.ObjectId(tracked.campaignId),
      leadId: new Types.ObjectId(sent.leadId),
      data: { email: sent.email, step: 0, sendId: sent._id, firstOfLead: true, rule: 'browser' },
    });
    expect(Object.keys(event!['data'] as object)).toEqual(
      expect.arrayContaining(['stepId', 'variantId', 'messageId']) as unknown,
    );
    const [first] = await tracked.hits(sent);
    expect(event!['at']).toEqual(first!['firstAt']);
    expect((await tracked.lead(sent))!['openedAt']).toEqual(first!['firstAt']);
  });

  it('counts a lead once for all its emails, and each email for its step and mailbox', async () => {
    const first = await tracked.sent();
    const second = await tracked.sent({ leadId: first.leadId, email: first.email });
    const [before, mailbox] = [await tracked.figures(), await tracked.mailboxFigures()];
    for (const sent of [first, second]) {
      await tracked.get(sent.open);
      await tracked.classify();
    }
    expect(added(before, await tracked.figures())).toEqual({ opened: 1 });
    expect(added(mailbox, await tracked.mailboxFigures())).toEqual({ opened: 2 });
    expect((await tracked.events('email.opened', second))[0]).toMatchObject({ data: { firstOfLead: false } });
  });

  it(`stores ${FLOODS * 100} hits of one scanner as a few records, and counts one`, async () => {
    const sent = await tracked.sent();
    const before = await tracked.figures();
    for (let round = 0; round < FLOODS; round += 1) {
      expect(await tracked.flood(sent.open, SCANNER, 100)).toEqual(new Set([200]));
      if (round % (FLOODS / 4) === 0) platform.clock.advance(MINUTE);
    }
    const hits = await tracked.hits(sent);
    expect(hits.reduce((sum, { count }) => sum + Number(count), 0)).toBe(FLOODS * 100);
    expect(hits.length).toBeLessThan(20);
    await tracked.classify();
    expect(new Set(await tracked.verdicts(sent))).toEqual(new Set(['open: machine (scanner:barracuda)']));
    expect(added(before, await tracked.figures())).toEqual({ machineOpened: 1 });
    expect(await tracked.events('email.opened', sent)).toEqual([]);
  });

  it('stores no complete IP address', async () => {
    const sent = await tracked.sent();
    await tracked.get(sent.open);
    const [hit] = await tracked.hits(sent);
    expect(hit).toMatchObject({ network: '127.0.0.0/24', userAgent: CHROME });
    expect(JSON.stringify(hit)).not.toContain('127.0.0.1');
  });
});

describe('a link', () => {
  it('leads to its address at the time of the email, and to no other', async () => {
    const links = ['https://example.com/a?b=1#c', 'http://büro.test/x y', 'HTTPS://Example.com'];
    const { clicks } = await tracked.sent({ links });
    const targets = await Promise.all(
      clicks.map(async (path) => (await tracked.get(`${path}?url=//evil.test`)).headers),
    );
    expect(targets.map(({ location }) => location as string)).toEqual([
      'https://example.com/a?b=1#c',
      'http://xn--bro-hoa.test/x%20y',
      'https://example.com/',
    ]);
    expect((await tracked.get(clicks[0]!)).status).toBe(302);
  });

  it('is the same plain page for a false, swapped or unknown token and for an unknown link', async () => {
    const sent = await tracked.sent();
    const token = sent.clicks[0]!.slice(5);
    const beyond = tracked.tokens(sent._id, 2).clicks[1]!.slice(5);
    const ofUnknown = tracked.tokens(new Types.ObjectId().toHexString(), 1).clicks[0]!.slice(5);
    const wrong = [
      token.slice(1),
      flipped(token),
      sent.open.slice(5, -4),
      sent.honeypot.slice(5),
      beyond,
      ofUnknown,
      'x',
    ];
    const answers = await Promise.all(wrong.map((one) => tracked.get(`/t/c/${one}`)));
    expect(new Set(answers.map(({ status, text, headers }) => `${status} ${text} ${withoutIds(headers)}`)).size).toBe(
      1,
    );
    expect(answers[0]!.status).toBe(404);
    expect(answers[0]!.headers['location']).toBeUndefined();
    expect(answers[0]!.text).toContain('<h1>This link leads nowhere</h1>');
    expect(await tracked.hits(sent)).toEqual([]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.test', ''])('never leads to %j', async (link) => {
    const { clicks } = await tracked.sent({ links: [link] });
    const { status, headers } = await tracked.get(clicks[0]!);
    expect({ status, location: headers['location'] }).toEqual({ status: 404, location: undefined });
  });

  it('counts as a click and as an open when a person follows it', async () => {
    const sent = await tracked.sent({ links: ['https://example.com/a', 'https://example.com/b'] });
    const [before, mailbox] = [await tracked.figures(), await tracked.mailboxFigures()];
    await tracked.get(sent.clicks[1]!);
    await tracked.classify();
    expect(added(before, await tracked.figures())).toEqual({ opened: 1, clicked: 1 });
    expect(added(mailbox, await tracked.mailboxFigures())).toEqual({ opened: 1, clicked: 1 });
    const data = { link: 1, url: 'https://example.com/b', firstOfLead: true };
    expect(await tracked.events('email.clicked', sent)).toMatchObject([{ data }]);
    expect(await tracked.events('email.opened', sent)).toMatchObject([{ data }]);
    const lead = await tracked.lead(sent);
    expect(lead!['clickedAt']).toEqual(lead!['openedAt']);
  });

  it.each<[string, (sent: Sent) => Promise<unknown>, string]>([
    ['sends HEAD', ({ clicks }) => head(clicks[0]!), 'click: machine (head)'],
    [
      'prefetches',
      ({ clicks }) => tracked.get(clicks[0]!, { 'Sec-Purpose': 'prefetch' }),
      'click: prefetch (purpose_header)',
    ],
    ['identifies itself', ({ clicks }) => tracked.get(clicks[0]!, SCANNER), 'click: machine (scanner:barracuda)'],
  ])('is a machine’s when the client %s, with the same response', async (_who, follow, verdict) => {
    const sent = await tracked.sent();
    const before = await tracked.figures();
    const answer = (await follow(sent)) as { status: number };
    await tracked.classify();
    expect(answer.status).toBe(302);
    expect(await tracked.verdicts(sent)).toEqual([verdict]);
    expect(added(before, await tracked.figures())).toEqual({ machineClicked: 1 });
    expect(await tracked.events('email.clicked', sent)).toEqual([]);
  });

  it('is a machine’s, like all others, when all links are followed at once', async () => {
    const sent = await tracked.sent({ links: [1, 2, 3, 4].map((one) => `https://example.com/${one}`) });
    const before = await tracked.figures();
    await Promise.all(sent.clicks.map((path) => tracked.get(path)));
    await tracked.classify();
    expect(new Set(await tracked.verdicts(sent))).toEqual(new Set(['click: machine (all_links_at_once)']));
    expect(added(before, await tracked.figures())).toEqual({ machineClicked: 1 });
  });

  it('is a machine’s, like all hits of its client, after the client follows the honeypot', async () => {
    const sent = await tracked.sent();
    const before = await tracked.figures();
    await tracked.get(sent.open);
    await tracked.get(sent.clicks[0]!);
    const { status, text } = await tracked.get(sent.honeypot);
    expect(status).toBe(200);
    expect(text).not.toContain('href');
    await tracked.classify();
    // Later hits too.
    await tracked.get(sent.open);
    await tracked.classify();
    expect(new Set((await tracked.hits(sent)).map(({ verdict, rule }) => `${verdict} ${rule}`))).toEqual(
      new Set(['machine honeypot']),
    );
    expect(added(before, await tracked.figures())).toEqual({ machineOpened: 1, machineClicked: 1 });
  });

  it('counts a person whose mail a machine has scanned before', async () => {
    const sent = await tracked.sent();
    const before = await tracked.figures();
    await tracked.get(sent.honeypot, { 'User-Agent': `${CHROME} Edg/142.0` });
    await tracked.get(sent.clicks[0]!, { 'User-Agent': `${CHROME} Edg/142.0` });
    await tracked.classify();
    platform.clock.advance(MINUTE);
    await tracked.get(sent.clicks[0]!);
    await tracked.classify();
    expect(added(before, await tracked.figures())).toEqual({ opened: 1, clicked: 1, machineClicked: 1 });
  });
});

describe('the honeypot', () => {
  it('answers the same for every token', async () => {
    const { honeypot } = await tracked.sent();
    const answers = await Promise.all([honeypot, '/t/h/x'].map((path) => tracked.get(path)));
    expect(answers[0]!.text).toBe(answers[1]!.text);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('hits for deleted records', () => {
  it('still redirect, and are not counted, after the deletion of the campaign', async () => {
    const other = await Tracked.on(platform, tracked.workspace);
    const sent = await other.sent();
    await platform.api.as(tracked.workspace.key).delete(`/v1/campaigns/${other.campaignId}`).expect(200);
    expect((await other.get(sent.clicks[0]!)).status).toBe(302);
    await other.get(sent.open);
    await other.classify();
    expect(await other.figures()).toEqual({});
    expect(await other.events('email.opened', sent)).toEqual([]);
    expect(await other.verdicts(sent)).toHaveLength(2);
  });

  it('are not counted after the deletion of the workspace', async () => {
    const other = await Tracked.on(platform, await platform.seed.workspace());
    const sent = await other.sent();
    const { workspaceId, owner } = other.workspace;
    await platform.api.as(owner.key).delete(`/v1/workspaces/${workspaceId}`).expect(200);
    expect((await other.get(sent.open)).status).toBe(200);
    expect((await other.get(sent.clicks[0]!)).status).toBe(302);
    await other.classify();
    expect(await other.figures()).toEqual({});
    expect(await other.events('email.clicked', sent)).toEqual([]);
  });

  it('are not counted after the erasure of the lead, and are classified without their send', async () => {
    const [sent, gone] = [await tracked.sent(), await tracked.sent()];
    const before = await tracked.figures();
    await tracked.get(sent.open);
    await tracked.get(gone.open);
    await tracked.database.collection('campaign_leads').deleteOne({ _id: new Types.ObjectId(sent.leadId) });
    await tracked.database.collection('sends').deleteOne({ _id: new Types.ObjectId(gone._id) });
    await tracked.classify();
    expect(await tracked.figures()).toEqual(before);
    expect(await tracked.verdicts(sent)).toEqual(['open: human (browser)']);
    expect(await tracked.verdicts(gone)).toEqual(['open: unknown (no_send)']);
  });
});

describe('the verdict', () => {
  it('is written once, also by parallel workers', async () => {
    const sent = await tracked.sent();
    const before = await tracked.figures();
    await tracked.get(sent.clicks[0]!);
    platform.clock.advance(25_000);
    await Promise.all(Array.from({ length: 5 }, () => tracked.classify()));
    expect(added(before, await tracked.figures())).toEqual({ opened: 1, clicked: 1 });
    expect(await tracked.events('email.clicked', sent)).toHaveLength(1);
  });

  it('covers all hits of an email, whatever their number', async () => {
    const sent = await tracked.sent();
    await tracked.get(sent.open);
    const [hit] = await tracked.hits(sent);
    const others = Array.from({ length: rounds(2_600, 600) }, (_, at) => ({
      ...hit,
      _id: `${sent._id}:${at}`,
      client: `${at}`,
    }));
    await tracked.database.collection('tracking_hits').insertMany(others as never[]);
    await tracked.classify();
    expect(new Set(await tracked.verdicts(sent))).toEqual(new Set(['open: human (browser)']));
    expect(await tracked.events('email.opened', sent)).toHaveLength(1);
  });

  it('is right for an email flooded by countless clients, of whose hits only a few are stored', async () => {
    const sent = await tracked.sent();
    const before = await tracked.figures();
    await tracked.get(sent.open, SCANNER);
    const [hit] = await tracked.hits(sent);
    // The stored ones are classified by their own evidence.
    const judged = { ...hit, verdict: 'machine', rule: 'scanner:barracuda', classifyAt: null };
    const others = Array.from({ length: 2_000 }, (_, at) => ({ ...judged, _id: `${sent._id}:${at}`, client: `${at}` }));
    await tracked.database.collection('tracking_hits').insertMany(others as never[]);
    await tracked.classify();
    for (let number = 0; number < rounds(100, 15); number += 1) {
      const { status } = await tracked.get(sent.clicks[0]!, { 'User-Agent': `Barracuda Sentinel ${number}` });
      expect(status).toBe(302);
    }
    expect((await tracked.hits(sent)).length).toBe(2_011);
    await tracked.classify();
    platform.clock.advance(24 * 60 * MINUTE);
    await tracked.get(sent.clicks[0]!);
    await tracked.classify();
    expect(added(before, await tracked.figures())).toEqual({
      machineOpened: 1,
      machineClicked: 1,
      opened: 1,
      clicked: 1,
    });
  });

  it('confirms an email whose delivery was uncertain', async () => {
    const sent = await tracked.sent({
      state: 'ambiguous',
      sentAt: null,
      resolveAt: platform.clock.in(MINUTE),
      provenAt: null,
    });
    await tracked.get(sent.open);
    await tracked.classify();
    const send = await tracked.database.collection('sends').findOne({ _id: new Types.ObjectId(sent._id) });
    expect(send!['provenAt']).toBeInstanceOf(Date);
  });
});

async function head(path: string) {
  const url = await platform.app.getUrl();
  return fetch(url + path, { method: 'HEAD', redirect: 'manual', headers: { 'user-agent': CHROME } });
}

function flipped(token: string): string {
  const at = 10;
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}

/** Headers that differ between responses. */
function withoutIds(headers: Record<string, unknown>): string {
  const { 'x-request-id': _id, date: _date, ...others } = headers;
  return JSON.stringify(others);
}

function added(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
      .filter(([, value]) => value !== 0),
  );
}
