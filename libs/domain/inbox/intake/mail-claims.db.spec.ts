import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { MailError } from '@adapters/mail';
import { type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { InboxFixture } from '../testing/inbox-fixture';
import { mail } from '../testing/mails';
import { type ClaimableMail, type MailClaimer, MAIL_CLAIMERS } from './mail-claims';

const ADA = 'ada@acme.test';
const THEIRS = '<theirs@elsewhere.test>';

/** Claims mail with its Message-ID by the envelope, and mail with its header after the fetch. */
class Claimer implements MailClaimer {
  readonly name = 'errands';
  readonly asked: number[] = [];
  readonly opened: ClaimableMail[] = [];
  failure: Error | null = null;

  async claimEnvelopes(_mailbox: MailboxRecord, messages: readonly MailboxMessageRecord[]): Promise<Set<string>> {
    if (this.failure) throw this.failure;
    this.asked.push(messages.length);
    return new Set(messages.filter(({ messageId }) => messageId === THEIRS).map(({ _id }) => _id.toHexString()));
  }

  async claimOpened(_mailbox: MailboxRecord, _message: MailboxMessageRecord, opened: ClaimableMail): Promise<boolean> {
    this.opened.push(opened);
    return opened.headers.has('X-Errand');
  }
}

describe('mail that a higher domain claims', () => {
  let inbox: InboxFixture;
  let claimer: Claimer;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
    claimer = new Claimer();
    addListener(inbox.get(HookRegistry), MAIL_CLAIMERS, claimer);
  });
  afterAll(() => inbox.close());
  beforeEach(async () => {
    claimer.asked.length = 0;
    claimer.opened.length = 0;
    claimer.failure = null;
    await inbox.fresh();
  });

  const judgements = async () => (await inbox.messages()).map(({ state, verdict, rule }) => ({ state, verdict, rule }));
  const answers = async (more: Partial<Parameters<typeof mail>[0]>) => {
    const written = await inbox.written(ADA);
    await inbox.arrives(mail({ from: ADA, inReplyTo: written.send.messageId, text: 'Thanks', ...more }));
    return written;
  };

  it.each([
    ['by its envelope', { id: THEIRS }, 0],
    ['once it is opened', { headers: 'X-Errand: 1\n' }, 1],
  ])('changes nothing else, though it looks like a reply: claimed %s', async (_how, more, opened) => {
    const written = await answers(more);
    expect(await judgements()).toEqual([{ state: 'done', verdict: 'skipped', rule: 'errands' }]);
    expect(claimer.opened).toHaveLength(opened);
    expect(await inbox.lead(written)).toMatchObject({ status: 'active', stopReason: null });
    expect((await inbox.stats(written)).stats.replied).toBe(0);
    expect(await inbox.conversations()).toEqual([]);
    expect((await inbox.events()).map(({ type }) => type)).not.toContain('email.replied');
  });

  it('is claimed by its envelope even if the mailbox is no longer readable', async () => {
    const raw = mail({ from: ADA, id: THEIRS, text: 'Thanks' });
    jest.spyOn(inbox.box, 'get').mockImplementation(() => {
      throw new MailError({ failure: 'temporary', stage: 'connect', message: 'No' });
    });
    await inbox.arrives(raw);
    expect(await judgements()).toEqual([{ state: 'done', verdict: 'skipped', rule: 'errands' }]);
  });

  it('leaves all other mail to the inbox, which calls the claimer once per batch', async () => {
    await inbox.box.deliver(Buffer.from(mail({ from: 'eve@acme.test', text: 'Hello' })), 'inbox', inbox.clock.now());
    const written = await answers({});
    expect((await inbox.lead(written)).stopReason).toBe('replied');
    expect(claimer.asked).toEqual([2]);
    expect(claimer.opened.map(({ classified }) => classified.kind)).toEqual(['reply', 'reply']);
  });

  it('is retried when the claimer fails, and counts as no reply meanwhile', async () => {
    claimer.failure = new Error('No database');
    const raw = mail({ from: ADA, id: THEIRS, text: 'Thanks' });
    await expect(inbox.arrives(raw)).rejects.toThrow('No database');
    claimer.failure = null;
    await inbox.look();
    expect(await judgements()).toEqual([{ state: 'done', verdict: 'skipped', rule: 'errands' }]);
  });
});
