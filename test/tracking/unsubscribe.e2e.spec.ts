import { SuppressionsService } from '@domain/suppressions';
import { Types } from 'mongoose';
import { readContent, expectFormA, type Platform } from '../harness';
import { type Sent } from './sent';
import { Tracked } from './tracked';

const ONE_CLICK = 'List-Unsubscribe=One-Click';
const LANGUAGES: [accepted: string, heading: string][] = [
  ['en-GB', 'Unsubscribe'],
  ['de-AT,de;q=0.9,en;q=0.8', 'Abmelden'],
  ['fr', 'Se désabonner'],
  ['es', 'Darse de baja'],
  ['pt-BR', 'Cancelar a subscrição'],
  ['nl', 'Afmelden'],
  ['it', 'Annulla iscrizione'],
  ['zh', 'Unsubscribe'],
];

let tracked: Tracked;
let platform: Platform;

beforeAll(async () => {
  tracked = await Tracked.start();
  platform = tracked.platform;
});
afterAll(() => tracked.close());

const page = (path: string, language = 'en') => platform.api.get(path).set('Accept-Language', language);
const post = (path: string, body = ONE_CLICK, type = 'application/x-www-form-urlencoded') =>
  platform.api.post(path).set('Content-Type', type).send(body);
const suppressed = ({ email }: Sent, workspaceId = tracked.workspace.workspaceId) =>
  platform.app.get(SuppressionsService, { strict: false }).isSuppressed(workspaceId, email);
const ledger = ({ email }: Sent) =>
  tracked.database.collection('suppression_ledger').find({ value: email }).sort({ createdAt: 1 }).toArray();

describe('the unsubscribe page', () => {
  it('asks for confirmation, and changes nothing', async () => {
    const sent = await tracked.sent({ email: 'ada@people.test' });
    const before = await readContent(tracked.database);
    const { status, headers, text } = await page(sent.unsubscribe);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      vary: expect.stringContaining('Accept-Language') as unknown,
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).toContain('<html lang="en">');
    expect(text).toContain('<strong>büro.test</strong> stop sending emails to <strong>ada@people.test</strong>');
    expect(text).toContain('<form method="post"><button name="by" value="page">Unsubscribe</button></form>');
    expect(text).not.toMatch(/<script|<img|<link|https?:/);
    const url = await platform.app.getUrl();
    expect((await fetch(url + sent.unsubscribe, { method: 'HEAD' })).status).toBe(200);
    expect(await readContent(tracked.database)).toEqual(before);
    expect(await suppressed(sent)).toBe(false);
  });

  it.each(LANGUAGES)('uses the language of a reader with %s', async (language, heading) => {
    const { unsubscribe } = await tracked.sent();
    const { text, headers } = await page(unsubscribe, language);
    expect(text).toContain(`<h1>${heading}</h1>`);
    expect(text).toContain(`<html lang="${headers['content-language']}">`);
  });

  it('shows an address as text, whatever it contains', async () => {
    const { unsubscribe } = await tracked.sent({
      leadId: new Types.ObjectId().toHexString(),
      email: '<b>"&@people.test',
    });
    expect((await page(unsubscribe)).text).toContain('<strong>&lt;b&gt;&quot;&amp;@people.test</strong>');
  });

  it('is the same other page for a truncated, altered or missing token, for another purpose and for an unknown send', async () => {
    const sent = await tracked.sent();
    const token = sent.unsubscribe.slice(3);
    const ofUnknown = tracked.tokens(new Types.ObjectId().toHexString(), 1).unsubscribe.slice(3);
    const wrong = [token.slice(2), `${token}=`, sent.open.slice(5, -4), sent.clicks[0]!.slice(5), ofUnknown, 'x'];
    const before = await readContent(tracked.database);
    for (const ask of [page, post]) {
      const answers = await Promise.all(wrong.map((one) => ask(`/u/${one}`)));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]!.status).toBe(404);
      expect(answers[0]!.text).toContain('<h1>This link does not work</h1>');
    }
    expect(await readContent(tracked.database)).toEqual(before);
  });

  it('accepts no other method', async () => {
    const { unsubscribe } = await tracked.sent();
    expectFormA(await platform.api.put(unsubscribe), 405);
  });
});

describe('unsubscribing', () => {
  const FORMS: [what: string, type: string, body: string, how: string][] = [
    ['a mail program', 'application/x-www-form-urlencoded', ONE_CLICK, 'one_click'],
    [
      'a mail program with multipart bodies',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      'one_click',
    ],
    ['the button', 'application/x-www-form-urlencoded', 'by=page', 'page'],
    ['a client with an invalid body', 'application/json', '{"a":', 'page'],
    ['a client with a very large body', 'text/plain', 'a'.repeat(3_000_000), 'page'],
  ];

  it.each(FORMS)(
    'by %s is in force before the response, recorded, and published as an event',
    async (_what, type, body, how) => {
      const sent = await tracked.sent();
      const before = (await tracked.figures())['unsubscribed'] ?? 0;
      const { status, headers, text } = await post(sent.unsubscribe, body, type);
      expect({ status, location: headers['location'] }).toEqual({ status: 200, location: undefined });
      expect(text).toContain('<h1>You are unsubscribed</h1>');
      expect(text).toContain(`<p role="status"><strong>${sent.email}</strong> will get no more emails`);
      expect(await suppressed(sent)).toBe(true);
      expect(await tracked.lead(sent)).toMatchObject({ status: 'completed', stopReason: 'unsubscribed' });
      expect(await ledger(sent)).toMatchObject([
        { act: 'added', source: 'unsubscribe', sendId: new Types.ObjectId(sent._id), actor: { kind: 'system' } },
      ]);
      expect(await tracked.events('email.unsubscribed', sent)).toMatchObject([
        { dedupeKey: `email.unsubscribed:${sent._id}`, data: { email: sent.email, firstOfLead: true, how } },
      ]);
      expect((await tracked.figures())['unsubscribed']).toBe(before + 1);
    },
  );

  it('withholds claimed emails before the response', async () => {
    const first = await tracked.sent();
    const next = await tracked.sent({ leadId: first.leadId, email: first.email, state: 'claimed', sentAt: null });
    await post(first.unsubscribe);
    const send = await tracked.database.collection('sends').findOne({ _id: new Types.ObjectId(next._id) });
    expect(send).toMatchObject({ state: 'withheld' });
  });

  it('again, also ten times in parallel, changes nothing and gets the same response', async () => {
    const sent = await tracked.sent();
    const before = (await tracked.figures())['unsubscribed'] ?? 0;
    const first = await post(sent.unsubscribe);
    const others = await Promise.all(Array.from({ length: 10 }, () => post(sent.unsubscribe, 'by=page')));
    expect(new Set(others.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`200 ${first.text}`]));
    expect((await tracked.figures())['unsubscribed']).toBe(before + 1);
    expect(await tracked.events('email.unsubscribed', sent)).toHaveLength(1);
    expect(await ledger(sent)).toHaveLength(1);
  });

  it('by ten parallel first requests counts once', async () => {
    const sent = await tracked.sent();
    const before = (await tracked.figures())['unsubscribed'] ?? 0;
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(sent.unsubscribe)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await tracked.figures())['unsubscribed']).toBe(before + 1);
    expect(await ledger(sent)).toHaveLength(1);
  });

  it('by two emails counts the lead once, and both are in the ledger', async () => {
    const first = await tracked.sent();
    const second = await tracked.sent({ leadId: first.leadId, email: first.email });
    const before = (await tracked.figures())['unsubscribed'] ?? 0;
    await post(first.unsubscribe);
    await post(second.unsubscribe);
    expect((await tracked.figures())['unsubscribed']).toBe(before + 1);
    expect(await tracked.events('email.unsubscribed', second)).toMatchObject([{ data: { firstOfLead: false } }]);
    expect((await ledger(first)).map(({ act }) => act as string)).toEqual(['added', 'repeated']);
  });

  it('stops the person in every campaign of the workspace, and in no other workspace', async () => {
    const [sibling, stranger] = [
      await Tracked.on(platform, tracked.workspace),
      await Tracked.on(platform, await platform.seed.workspace()),
    ];
    const sent = await tracked.sent({ email: 'everywhere@people.test' });
    const there = await sibling.sent({ email: 'everywhere@people.test' });
    const elsewhere = await stranger.sent({ email: 'everywhere@people.test' });
    await post(sent.unsubscribe);
    expect(await tracked.lead(there)).toMatchObject({ stopReason: 'unsubscribed' });
    expect(await tracked.lead(elsewhere)).toMatchObject({ status: 'active' });
    expect(await suppressed(elsewhere, stranger.workspace.workspaceId)).toBe(false);
  });

  it('ignores Idempotency-Keys and query parameters', async () => {
    const sent = await tracked.sent();
    const answer = await post(`${sent.unsubscribe}?utm=1&__proto__=2`).set('Idempotency-Key', 'a b');
    expect(answer.status).toBe(200);
    expect(await suppressed(sent)).toBe(true);
  });

  it('applies also to a deleted campaign, without a change of its figures', async () => {
    const other = await Tracked.on(platform, tracked.workspace);
    const sent = await other.sent();
    await platform.api.as(tracked.workspace.key).delete(`/v1/campaigns/${other.campaignId}`).expect(200);
    expect((await post(sent.unsubscribe)).status).toBe(200);
    expect(await suppressed(sent)).toBe(true);
    expect(await other.figures()).toEqual({});
  });

  it('applies to a workspace that may be restored, and not to one that is being erased', async () => {
    const other = await Tracked.on(platform, await platform.seed.workspace());
    const [sent, late] = [await other.sent(), await other.sent()];
    const { workspaceId, owner } = other.workspace;
    await platform.api.as(owner.key).delete(`/v1/workspaces/${workspaceId}`).expect(200);
    expect((await post(sent.unsubscribe)).status).toBe(200);
    expect(await suppressed(sent, workspaceId)).toBe(true);
    const erasing = { $set: { purgeStartedAt: new Date() } };
    await tracked.database.collection('workspaces').updateOne({ _id: new Types.ObjectId(workspaceId) }, erasing);
    expect((await post(late.unsubscribe)).status).toBe(404);
    expect(await suppressed(late, workspaceId)).toBe(false);
  });

  it('completes on the second request what failed in the first', async () => {
    const sent = await tracked.sent();
    const suppressions = platform.app.get(SuppressionsService, { strict: false });
    const broken = jest.spyOn(suppressions, 'add').mockRejectedValueOnce(new Error('the process died'));
    const answer = await page(sent.unsubscribe, 'de');
    expect(answer.status).toBe(200);
    const failed = await post(sent.unsubscribe).set('Accept-Language', 'de');
    expect(failed.status).toBe(500);
    expect(failed.text).toContain('<h1>Das hat gerade nicht geklappt</h1>');
    expect(await suppressed(sent)).toBe(true);
    broken.mockRestore();
    expect((await post(sent.unsubscribe)).status).toBe(200);
    expect(await tracked.events('email.unsubscribed', sent)).toHaveLength(1);
    expect(await tracked.lead(sent)).toMatchObject({ stopReason: 'unsubscribed' });
  });
});
