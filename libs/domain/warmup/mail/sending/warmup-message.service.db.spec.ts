import PostalMime from 'postal-mime';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WARMUP_HEADER, WarmupHeaderService } from '../../warmup-header.service';
import { WarmupEngine, type WarmMailbox } from '../testing/warmup-engine';
import { WarmupMessageService } from './warmup-message.service';

/** A Monday. */
const MORNING = new Date('2026-11-23T06:00:00.000Z');
const NOON = new Date('2026-11-23T12:00:00.000Z');
const AFTERNOON = new Date('2026-11-23T15:00:00.000Z');
const CONFIG = { startingVolume: 1, dailyIncrease: 1, targetVolume: 1 };
const SCRIPT = {
  subject: 'The lamp in the hall',
  bodies: ['The lamp flickers.', 'I will look.', 'Thank you.', 'It is mended.', 'Wonderful.'],
};

let engine: WarmupEngine;
let ada: WarmMailbox;
let bob: WarmMailbox;

beforeAll(async () => {
  engine = await WarmupEngine.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.reset(MORNING);
});

async function two(config: Parameters<WarmupEngine['mailboxes']['create']>[0] = CONFIG): Promise<WarmupMailRecord> {
  ada = await engine.mailboxes.create(config, { displayName: 'Ada Lovelace', timezone: 'Europe/Berlin' });
  await engine.switchWorkspace();
  bob = await engine.mailboxes.create(config, { displayName: 'Bob Marley', timezone: 'America/New_York' });
  await engine.runs.plan();
  const [opening] = await engine.records.sentFrom(ada);
  const { _id, workspaceId } = opening!;
  await engine.records.mails.updateOne({ _id, workspaceId }, { $set: { dueAt: NOON, plannedFor: NOON } });
  engine.sending.clock.freeze(NOON);
  return opening!;
}

async function sent(mailbox: WarmMailbox, { _id }: Pick<WarmupMailRecord, '_id'>) {
  await engine.runs.send(mailbox);
  const [record] = await engine.records.sent({ _id });
  const { text: raw } = engine.sending.server.given.find(({ messageId }) => messageId === record!.messageId)!;
  const mail = await PostalMime.parse(raw);
  const text = (mail.text ?? '').replace(/\r\n/g, '\n').trimEnd();
  return { record: record!, mail, text };
}

async function opened(config: Parameters<WarmupEngine['mailboxes']['create']>[0] = CONFIG) {
  const opening = await two(config);
  return sent(ada, opening);
}

async function answered(by: WarmMailbox, to: WarmupMailRecord) {
  // Within the hours of both mailboxes, when no other mail is due.
  const now = engine.sending.clock.now().getTime();
  await engine.runs.advanceTo(new Date(Math.max(AFTERNOON.getTime(), now + 600_000)));
  const _id = await engine.records.insertAnswer(to, engine.sending.clock.now());
  return sent(by, { _id });
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n');

describe('a warmup mail', () => {
  it('goes from one person to another, signed for the receiver, and contains nothing else', async () => {
    const { record, mail } = await opened();
    expect(mail.from).toEqual({ name: 'Ada Lovelace', address: ada.email });
    expect(mail.to).toEqual([{ name: 'Bob Marley', address: bob.email }]);
    expect(mail.subject).toBe(record.subject);
    expect(mail.date).toBe(`${engine.sending.clock.now().toISOString().slice(0, 19)}.000Z`);
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    const token = headers.get(WARMUP_HEADER.toLowerCase()) ?? '';
    expect(engine.sending.get(WarmupHeaderService).verify(token, { from: ada.email, to: bob.email })).toBe(
      record._id.toHexString(),
    );
    expect([...headers.keys()].toSorted()).toEqual(
      [
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
        WARMUP_HEADER.toLowerCase(),
      ].toSorted(),
    );
    expect(mail.text).toMatch(/\bBob\b/);
    expect(mail.attachments).toEqual([]);
  });

  it('quotes the answered mail as it was sent, with its own quotes', async () => {
    const opening = await opened();
    const answer = await answered(bob, opening.record);
    const closing = await answered(ada, answer.record);
    expect(answer.text.endsWith(`<${ada.email}> wrote:\n${quoted(opening.text)}`) || answer.text).toBe(true);
    expect(closing.text.endsWith(`<${bob.email}> wrote:\n${quoted(answer.text)}`) || closing.text).toBe(true);
    expect(closing.mail.inReplyTo).toBe(answer.record.messageId);
    expect(closing.mail.references).toBe(`${opening.record.messageId} ${answer.record.messageId}`);
    expect(answer.mail.subject).toMatch(/^re: /i);
    expect(closing.mail.subject?.slice(4)).toBe(opening.mail.subject);
  });

  it('refers to the Message-ID that the receiver of the previous mail saw', async () => {
    const opening = await opened();
    const renamed = '<0102018f@eu-west-1.amazonses.com>';
    const { _id, workspaceId, threadId } = opening.record;
    await engine.records.mails.updateOne({ _id, workspaceId }, { $set: { messageId: renamed } });
    await engine.sending
      .model<{ messageIds: string[] }>({ name: 'WarmupThreadRecord' })
      .updateOne({ _id: threadId, workspaceId }, { $set: { messageIds: [renamed] } });
    const { mail } = await answered(bob, opening.record);
    expect(mail.inReplyTo).toBe(renamed);
    expect(mail.references).toBe(renamed);
  });
});

describe('a thread by the language model', () => {
  const scripts = () => jest.spyOn(engine.sending.get(WarmupMessageService), 'writeScript').mockResolvedValue(SCRIPT);
  afterEach(() => jest.spyOn(engine.sending.get(WarmupMessageService), 'writeScript').mockRestore());

  it('is written once before its opening and applies to its answers', async () => {
    const written = scripts();
    const opening = await opened({ ...CONFIG, textSource: 'model' });
    expect(written).toHaveBeenCalledTimes(1);
    expect(written.mock.calls[0]![0]).toMatchObject({ workspaceId: opening.record.workspaceId, source: 'model' });
    expect(opening.mail.subject).toBe(SCRIPT.subject);
    expect(opening.text).toContain('lamp flickers');
    const answer = await answered(bob, opening.record);
    expect(answer.text).toContain('will look');
    // The other mailbox has begun its own thread meanwhile.
    const seeds = written.mock.calls.map(([{ seed }]) => seed);
    expect(new Set(seeds).size).toBe(seeds.length);
  });

  it('is not requested when the library writes it', async () => {
    const written = scripts();
    const opening = await opened();
    expect(written).not.toHaveBeenCalled();
    expect(opening.mail.subject).not.toBe(SCRIPT.subject);
  });
});
