import { type SentLookup } from '@adapters/mail';
import { MailboxDeletionService } from '@domain/mailboxes';
import { refused, unreadable } from '../testing/scripted-server';
import { HOUR, MINUTE, NOON, SendingFixture } from '../testing/sending-fixture';
import { SendResolverService } from './send-resolver.service';

const LEAD = 'ann@acme.test';

let engine: SendingFixture;
let mailboxId: string;
let campaignId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
  campaignId = await engine.campaign([mailboxId], [LEAD], { dailyLimit: 5 });
  engine.server.draftId = 'draft-1';
  engine.server.answers.push(refused('ambiguous', 'handover'));
  await engine.run(mailboxId);
});

const reports: unknown[] = [];
const resolve = async (found: SentLookup) => {
  engine.server.found = found;
  await engine.get(SendResolverService).resolve(new AbortController().signal, (error) => reports.push(error));
};
const unknown = { state: 'unknown' } as const;

it('an ambiguous email waits for its resolution, and its lead waits for it', async () => {
  expect(await engine.sends(LEAD)).toMatchObject([{ state: 'ambiguous', draftId: 'draft-1' }]);
  expect(await engine.lead(LEAD)).toMatchObject({ status: 'active', dueAt: null, sentCount: 0 });
  await resolve(unknown);
  expect(engine.server.lookups).toBe(0); // Not due yet.
  engine.clock.advance(MINUTE);
  await Promise.all([resolve(unknown), resolve(unknown)]);
  expect(engine.server.lookups).toBe(1); // One of several workers.
  await engine.run(mailboxId);
  expect(engine.server.given).toHaveLength(1);
  expect((await engine.campaignOf(campaignId)).status).toBe('active');
});

it('an ambiguous email that is found counts as sent at its handover, and the sequence continues from there', async () => {
  engine.clock.advance(MINUTE);
  await resolve({ state: 'sent', providerMessageId: 'm1', providerThreadId: 't1' });
  expect(await engine.sends(LEAD)).toMatchObject([
    { state: 'sent', sentAt: NOON, providerMessageId: 'm1', draftId: null },
  ]);
  expect(await engine.lead(LEAD)).toMatchObject({
    sentCount: 1,
    lastSentAt: NOON,
    dueAt: new Date(NOON.getTime() + 24 * HOUR),
    sendId: null,
    thread: {
      providerThreadId: 't1',
      subject: 'Hello',
    },
  });
  expect((await engine.sums(campaignId)).stats.sent).toBe(1);
  expect(await engine.events()).toEqual(['email.sent']);
  expect(await engine.used(campaignId)).toEqual({ all: 1 });
});

it('an email that was provably not sent is sent again with its Message-ID', async () => {
  engine.clock.advance(MINUTE);
  await resolve({ state: 'not_sent' });
  expect(await engine.used(campaignId)).toEqual({ all: 0 });
  await engine.run(mailboxId);
  const [one, other] = engine.server.given;
  expect(other?.messageId).toBe(one?.messageId);
  expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent', attempt: 2 }]);
  expect(await engine.used(campaignId)).toEqual({ all: 1 });
});

it('an email without proof counts as sent after six hours, with the reason', async () => {
  for (let minutes = 0; minutes < 359; minutes += 10) {
    engine.clock.advance(10 * MINUTE);
    if (minutes < 340) await resolve(unknown);
  }
  expect(await engine.stateOf(LEAD)).toBe('ambiguous');
  engine.clock.advance(MINUTE);
  await resolve(unknown);
  expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent_unconfirmed', sentAt: NOON }]);
  expect(await engine.lead(LEAD)).toMatchObject({ sentCount: 1, dueAt: new Date(NOON.getTime() + 24 * HOUR) });
  expect(engine.server.given).toHaveLength(1);
  expect(engine.server.lookups).toBeLessThan(15);
});

it.each([
  ['cannot be reached', () => unreadable('temporary', 'connect')],
  ['cannot even be opened', () => new Error('an unreadable credential')],
])('an ambiguous email of a mailbox that %s does not stay ambiguous forever', async (_name, error) => {
  engine.server.session = () => {
    throw error();
  };
  engine.clock.advance(MINUTE);
  await resolve(unknown);
  expect(await engine.stateOf(LEAD)).toBe('ambiguous');
  engine.clock.advance(6 * HOUR);
  await resolve(unknown);
  delete (engine.server as { session?: unknown }).session;
  expect(await engine.stateOf(LEAD)).toBe('sent_unconfirmed');
});

it('an ambiguous email of a deleted mailbox counts as sent after six hours', async () => {
  await engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, { force: 'true' });
  engine.clock.advance(6 * HOUR);
  await resolve({ state: 'not_sent' });
  expect(await engine.stateOf(LEAD)).toBe('sent_unconfirmed');
  expect(engine.server.lookups).toBe(0);
  expect(await engine.lead(LEAD)).toMatchObject({ sentCount: 1, sendId: null });
});

it('an ambiguous email of a lead that was stopped meanwhile is counted, and the lead stays stopped', async () => {
  await engine.changeLead(LEAD, { status: 'completed', stopReason: 'unsubscribed' });
  engine.clock.advance(MINUTE);
  await resolve({ state: 'sent', providerMessageId: null, providerThreadId: null });
  expect(await engine.lead(LEAD)).toMatchObject({ stopReason: 'unsubscribed', sentCount: 1, dueAt: null });
});
