import { MailIntakeService } from '@domain/inbox';
import { MailboxMessageRepository } from '@domain/mailboxes';
import { type WarmupDayRecord, type WarmupMailRecord, WarmupMailWatchService } from '@domain/warmup';
import { addDays, startOfDay } from '@platform/time';
import { eventually, mailSandbox } from '@testing';
import { ImapFlow } from 'imapflow';
import { asBoth, newCampaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace, acceptedFrom, sharedPlatform } from '../harness';
import { type Mailbox, connected } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { warmupModel } from './warmups';

const MINUTE_MS = 60_000;
/** Opening, answer, and answer to the answer. */
const ALWAYS = { inbox: { min: 100, max: 100 }, promotions: { min: 100, max: 100 }, spam: 100 };
const SETTINGS = {
  startingVolume: 2,
  replyRates: ALWAYS,
  timezone: 'UTC',
  windowStart: '00:00',
  windowEnd: '23:59',
};

interface Party {
  workspace: SeededWorkspace;
  mailbox: Mailbox;
}

interface Activity {
  direction: string;
  status: string;
  kind: string;
  counterpart: string | null;
  placement: string | null;
  rescuedAt: string | null;
  openedAt: string | null;
  answeredAt: string | null;
}

describe('two mailboxes of the sandbox that warm each other up', () => {
  let platform: Platform;
  let ann: Party;
  /** A recipient whose server classifies every mail as spam. */
  let bob: Party;

  const api = ({ workspace }: Party) => asBoth(platform.api, workspace.key);
  const get = async <T>(party: Party, path: string) => dataOf<T>(await api(party).get(`/v1/${path}`));
  const activity = (party: Party) => get<Activity[]>(party, `warmup/${party.mailbox._id}/activity?limit=100`);
  const mails = async (filter: object = {}) =>
    warmupModel(platform, 'WarmupMailRecord')
      .find(filter)
      .setOptions({ allWorkspaces: 'a test' })
      .sort({ position: 1 })
      .lean<WarmupMailRecord[]>();

  async function party(): Promise<Party> {
    const workspace = await platform.seed.workspace();
    const mailbox = await connected(platform, workspace, { sendGapSeconds: 0, displayName: 'Grace Hopper' });
    return { workspace, mailbox };
  }

  async function start({ workspace, mailbox }: Party): Promise<void> {
    const admin = platform.api.as(workspace.key);
    await admin.patch(`/v1/warmup/config/${mailbox._id}`).send(SETTINGS).expect(200);
    await admin.post(`/v1/warmup/${mailbox._id}/start`).expect(200);
  }

  /** Runs the worker’s due work, and waits until sent mails are found. */
  async function work(): Promise<void> {
    await platform.tick();
    await platform.drain();
    await eventually(
      'sent mails are found',
      async () => {
        const unsettled = await mails({ direction: 'sent', state: { $in: ['claimed', 'ambiguous', 'sent'] } });
        if (unsettled.every(({ state, receivedAt }) => state === 'sent' && receivedAt !== undefined)) return true;
        // Mailboxes push only inbox mail; the spam folder has to be polled.
        for (const { workspace, mailbox } of [ann, bob]) await read(workspace, mailbox);
        await platform.drain();
        return false;
      },
      30_000,
    );
  }

  async function read({ workspaceId }: SeededWorkspace, { _id: mailboxId }: Mailbox): Promise<void> {
    const worker = platform.worker!;
    const mailbox = await worker
      .get(MailboxMessageRepository, { strict: false })
      .findMailbox({ workspaceId, mailboxId });
    await worker.get(MailIntakeService, { strict: false }).ensureFresh(mailbox!, 0, AbortSignal.timeout(30_000));
  }

  /** Continues until `isDone`. */
  async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; steps < 60; steps += 1) {
      await work();
      if (await isDone()) return;
      const now = platform.clock.now().getTime();
      const moments = (await mails()).flatMap(({ dueAt, opensAt }) => [dueAt, opensAt]);
      const next = Math.min(...moments.flatMap((at) => (at ? [at.getTime()] : [])));
      // The worker polls once a minute, and the sweep finds late work: here half an hour at once.
      platform.clock.advance(Math.max(0, (Number.isFinite(next) ? next : now) - now) + 30 * MINUTE_MS);
    }
    throw new Error(`It did not happen: ${what}`);
  }

  async function folders({ mailbox: { email } }: Party): Promise<Record<string, { subject: string; seen: boolean }[]>> {
    const { imap, password } = mailSandbox();
    const auth = { user: email, pass: password };
    const client = new ImapFlow({ host: 'localhost', port: imap.tlsPort, secure: true, auth, logger: false });
    await client.connect();
    try {
      const found: Record<string, { subject: string; seen: boolean }[]> = {};
      for (const { path } of await client.list()) {
        const lock = await client.getMailboxLock(path);
        try {
          const isEmpty = client.mailbox && client.mailbox.exists === 0;
          const all = isEmpty ? [] : await client.fetchAll('1:*', { envelope: true, flags: true });
          found[path] = all.map(({ envelope, flags }) => ({
            subject: envelope?.subject ?? '',
            seen: flags?.has('\\Seen') ?? false,
          }));
        } finally {
          lock.release();
        }
      }
      return found;
    } finally {
      await client.logout();
    }
  }

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    [ann, bob] = [await party(), await party()];
    const url = `${mailSandbox().webUrl}/api/mailboxes/${encodeURIComponent(bob.mailbox.email)}/placement`;
    expect((await fetch(url, { method: 'PUT', body: JSON.stringify({ spam: 1 }) })).ok).toBe(true);
    await newCampaign(platform, ann.workspace, { mailboxes: [ann.mailbox._id] });
    await platform.listen();
    // A whole day lies ahead, whenever this test runs.
    const { clock } = platform;
    const tomorrow = startOfDay(addDays(clock.now().toISOString().slice(0, 10), 1), 'UTC');
    clock.advance(tomorrow.getTime() + MINUTE_MS - clock.now().getTime());
    await start(ann);
    await start(bob);
  });
  afterAll(() => platform.close());

  it('moves mail out of spam, reads, files and answers it, and the answer arrives', async () => {
    const isRescued = ({ direction, placement, openedAt, answeredAt }: WarmupMailRecord) =>
      direction === 'received' && placement === 'spam' && openedAt !== undefined && answeredAt !== undefined;
    await until('a mail is rescued, and its answer found', async () => (await mails()).some(isRescued));
    const rescued = (await mails()).find(isRescued);
    const { threadId, position, messageId, subject } = rescued!;
    expect(rescued).toMatchObject({ rescuedAt: expect.any(Date) });
    const bobs = await folders(bob);
    expect(bobs['Warmup']).toContainEqual({ subject, seen: true });
    expect(bobs['Junk']).not.toContainEqual(expect.objectContaining({ subject }));

    const [answer] = await mails({ threadId, position: position + 1, direction: 'received' });
    expect(answer).toMatchObject({ placement: 'inbox' });
    const sent = await acceptedFrom(new Set([bob.mailbox.email]));
    const { queueId } = sent.find((mail) => mail.messageId === answer!.messageId)!;
    const response = await fetch(`${mailSandbox().webUrl}/api/messages/${queueId}`);
    const { headers, text } = (await response.json()) as { headers: { name: string; value: string }[]; text: string };
    const header = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value;
    expect(header('in-reply-to')).toBe(messageId);
    expect(header('references')?.split(/\s+/).at(-1)).toBe(messageId);
    const [opening] = await mails({ threadId, position: 0, direction: 'sent' });
    expect(header('subject')).toMatch(/^\w{1,4}: /);
    expect(header('subject')).toContain(opening!.subject);
    expect(text).toContain('> ');
    expect(header('list-unsubscribe')).toBeUndefined();
  }, 180_000);

  it('leaves none of it in an inbox after all mails are opened', async () => {
    await until('all is opened', async () => (await mails({ opensAt: { $gt: new Date(0) } })).length === 0);
    for (const one of [ann, bob]) {
      const { INBOX, Junk, Warmup } = await folders(one);
      expect([...(INBOX ?? []), ...(Junk ?? [])]).toEqual([]);
      expect(Warmup!.length).toBeGreaterThan(0);
    }
  });

  it('shows each workspace its own side, and no address of the other', async () => {
    for (const [one, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const entries = await activity(one);
      expect(entries.map(({ direction }) => direction)).toEqual(expect.arrayContaining(['sent', 'received']));
      expect(new Set(entries.map(({ counterpart }) => counterpart))).toEqual(new Set([null]));
      expect(JSON.stringify(entries)).not.toContain(other.mailbox.email);
    }
    expect((await activity(ann)).some(({ placement, rescuedAt }) => placement === 'spam' && rescuedAt !== null)).toBe(
      true,
    );
  });

  it('shows none of it in the inbox API, events, webhooks and campaign figures', async () => {
    for (const one of [ann, bob]) {
      expect(await get<unknown[]>(one, 'inbox')).toEqual([]);
      const events = await get<{ type: string }[]>(one, 'events');
      expect(events.filter(({ type }) => /^(email|lead)\./.test(type))).toEqual([]);
    }
    const [campaign] = await get<{ stats: Record<string, number> }[]>(ann, 'campaigns');
    expect(Object.values(campaign!.stats).filter((figure) => figure !== 0)).toEqual([]);
    const mailbox = await get<Mailbox>(ann, `mailboxes/${ann.mailbox._id}`);
    expect(mailbox.totalSent).toBe(0);
  });

  it('has figures that equal a recount of the mails', async () => {
    const all = await mails();
    for (const { mailbox } of [ann, bob]) {
      const own = all.filter(({ mailboxId }) => mailboxId.toHexString() === mailbox._id);
      const [sent, received] = (['sent', 'received'] as const).map((direction) =>
        own.filter((mail) => mail.direction === direction && mail.state === direction),
      ) as [WarmupMailRecord[], WarmupMailRecord[]];
      const days = await warmupModel(platform, 'WarmupDayRecord')
        .find({ mailboxId: mailbox._id })
        .setOptions({ allWorkspaces: 'a test' })
        .lean<WarmupDayRecord[]>();
      const counted = (figure: keyof WarmupDayRecord) => days.reduce((sum, day) => sum + Number(day[figure]), 0);
      expect({
        sent: counted('sent'),
        openings: counted('openings'),
        inbox: counted('inbox'),
        spam: counted('spam'),
        opened: counted('opened'),
        received: counted('received'),
        rescued: counted('rescued'),
        repliesReceived: counted('repliesReceived'),
        bad: counted('bounced') + counted('blocked') + counted('deferred'),
      }).toEqual({
        sent: sent.length,
        openings: sent.filter(({ position }) => position === 0).length,
        inbox: sent.filter(({ placement }) => placement === 'inbox').length,
        spam: sent.filter(({ placement }) => placement === 'spam').length,
        opened: sent.filter(({ openedAt }) => openedAt).length,
        received: received.length,
        rescued: received.filter(({ rescuedAt }) => rescuedAt).length,
        repliesReceived: received.filter(({ position }) => position > 0).length,
        bad: 0,
      });
    }
  });

  it('shows the measured placement on the mailbox', async () => {
    const figures = async () => {
      const path = `mailboxes/${ann.mailbox._id}`;
      return (await get<Mailbox & { warmup: { metrics: Record<string, number> } }>(ann, path)).warmup.metrics;
    };
    platform.clock.advance(30 * MINUTE_MS);
    await work();
    expect(await figures()).toMatchObject({ lastCalculatedAt: expect.any(String) });
    // Includes mails that were sent at the same time.
    await platform.worker!.get(WarmupMailWatchService, { strict: false }).run();
    const found = (await mails({ direction: 'sent' })).filter(
      ({ mailboxId, placement }) => mailboxId.toHexString() === ann.mailbox._id && placement !== null,
    );
    const spam = found.filter(({ placement }) => placement === 'spam').length;
    expect(spam).toBeGreaterThan(0);
    expect(await figures()).toMatchObject({ totalEmailsSent: found.length, spamRate: spam / found.length });
  });
});
