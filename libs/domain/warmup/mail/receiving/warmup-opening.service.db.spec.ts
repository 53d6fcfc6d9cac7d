import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { MailError } from '@adapters/mail';
import { SENT_MAIL_HOOKS } from '@domain/mailboxes';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { type Member, ReceivingFixture } from './testing/receiving-fixture';
import { WarmupOpeningService } from './warmup-opening.service';

const HOUR_MS = 3_600_000;
/** By this time, all mail that arrived at noon is opened. */
const AFTERNOON_MS = 5 * HOUR_MS;
const GONE = { openedAt: expect.anything() };

describe('opening warmup mail', () => {
  let warmup: ReceivingFixture;
  let ann: Member;
  let bob: Member;

  beforeAll(async () => {
    warmup = await ReceivingFixture.open();
  });
  afterAll(() => warmup.close());
  beforeEach(async () => {
    ann = await warmup.members.create();
    bob = await warmup.members.create();
  });

  const open = () => warmup.get(WarmupOpeningService).openDue();
  const later = (ms: number) => warmup.clock.advance(ms);
  const there = ({ messageId }: WarmupMailRecord) => warmup.deliveries.box(bob).byMessageId(messageId);
  /** The next session of Bob’s mailbox, in which a mail is opened. */
  const session = () => {
    const { driver } = warmup.inbox;
    const { _id, email } = bob.mailbox;
    const opened = driver.open({ kind: 'fake', id: _id.toHexString(), revision: '1', email });
    jest.spyOn(driver, 'open').mockReturnValueOnce(opened);
    return opened;
  };
  const arrived = async (folder: 'inbox' | 'junk' | 'promotions', headers?: string) => {
    const mail = await warmup.deliveries.send(ann, bob);
    await warmup.deliveries.deliver(mail, ann, bob, { folder, ...(headers && { headers }) });
    return mail;
  };

  it('waits as long as people do, then marks the mail as read and files it', async () => {
    const mail = await arrived('inbox');
    await open();
    expect(there(mail)).toMatchObject({ folder: 'inbox', flags: { seen: false } });
    later(AFTERNOON_MS);
    await open();
    expect(there(mail)).toMatchObject({ folder: 'own:Warmup', flags: { seen: true } });
    expect(await warmup.records.senderSide(mail)).toMatchObject({ openedAt: warmup.clock.now() });
    const received = (await warmup.records.receiverSide(mail))!;
    expect(received.openedAt).toEqual(warmup.clock.now());
    expect(received.opensAt).toBeUndefined();
    expect(received.rescuedAt).toBeUndefined();
    expect(await warmup.records.figures(ann)).toEqual({ inbox: 1, opened: 1 });
    expect(await warmup.records.figures(bob)).toEqual({ received: 1 });
  });

  it.each([
    ['junk', 1],
    ['promotions', undefined],
  ] as const)('moves mail from %s through the inbox', async (folder, rescued) => {
    const mail = await arrived(folder);
    const moved = jest.spyOn(warmup.deliveries.box(bob), 'move');
    later(AFTERNOON_MS);
    await open();
    expect(moved.mock.calls.map(([, to]) => to)).toEqual(['inbox', 'own:Warmup']);
    expect(there(mail).flags.seen).toBe(true);
    const isRescued = rescued === 1;
    expect((await warmup.records.senderSide(mail)).rescuedAt instanceof Date).toBe(isRescued);
    expect((await warmup.records.receiverSide(mail))!.rescuedAt instanceof Date).toBe(isRescued);
    expect((await warmup.records.figures(bob))['rescued']).toBe(rescued);
    expect((await warmup.records.figures(ann))['opened']).toBe(1);
  });

  it('counts a mail as rescued when the opening failed after the move', async () => {
    const mail = await arrived('junk');
    later(AFTERNOON_MS);
    jest.spyOn(session(), 'markRead').mockRejectedValueOnce(broken());
    await open();
    expect(there(mail)).toMatchObject({ folder: 'inbox', flags: { seen: false } });
    expect(await warmup.records.figures(bob)).toEqual({ received: 1 });
    await warmup.deliveries.read(bob);
    later(HOUR_MS);
    await open();
    expect(there(mail)).toMatchObject({ folder: 'own:Warmup', flags: { seen: true } });
    expect(await warmup.records.figures(bob)).toEqual({ received: 1, rescued: 1 });
    expect((await warmup.records.figures(ann))['opened']).toBe(1);
  });

  it('counts each mail once with two concurrent workers', async () => {
    await arrived('junk');
    later(AFTERNOON_MS);
    await Promise.all([open(), open()]);
    expect(await warmup.records.figures(ann)).toEqual({ spam: 1, opened: 1 });
    expect(await warmup.records.figures(bob)).toEqual({ received: 1, rescued: 1 });
  });

  it.each([
    ['files it in the archive', true, 'archive'],
    ['leaves it in the inbox as read', false, 'inbox'],
  ])('%s where the server creates no folder', async (_what, hasArchive, folder) => {
    const mail = await arrived('inbox');
    const refusal = new MailError({ failure: 'permanent', stage: 'request', message: 'No folders' });
    const server = session();
    jest.spyOn(server, 'ensureFolder').mockRejectedValueOnce(refusal);
    const inbox = { id: 'inbox', name: 'Inbox', role: 'inbox' } as const;
    if (!hasArchive) jest.spyOn(server, 'listFolders').mockResolvedValueOnce([inbox]);
    later(AFTERNOON_MS);
    await open();
    expect(there(mail)).toMatchObject({ folder, flags: { seen: true } });
    expect((await warmup.records.figures(ann))['opened']).toBe(1);
  });

  it('completes when the server rejects the filing: the mail stays in the inbox as read', async () => {
    const mail = await arrived('inbox');
    const refusal = new MailError({ failure: 'permanent', stage: 'request', message: 'Over quota' });
    jest.spyOn(session(), 'move').mockRejectedValueOnce(refusal);
    later(AFTERNOON_MS);
    await open();
    expect(there(mail)).toMatchObject({ folder: 'inbox', flags: { seen: true } });
    expect((await warmup.records.receiverSide(mail))!.openedAt).toBeInstanceOf(Date);
  });

  it('leaves mail that its owner deleted or moved elsewhere', async () => {
    const [deleted, moved] = [await arrived('inbox'), await arrived('inbox')];
    warmup.deliveries.box(bob).remove(there(deleted));
    warmup.deliveries.box(bob).move(there(moved), 'trash');
    await warmup.deliveries.read(bob);
    later(AFTERNOON_MS);
    await open();
    expect(await warmup.records.receiverSide(deleted)).not.toMatchObject(GONE);
    expect((await warmup.records.receiverSide(deleted))!.opensAt).toBeUndefined();
    expect(there(moved)).toMatchObject({ folder: 'trash' });
    expect((await warmup.records.figures(ann))['opened']).toBe(1);
  });

  it('opens a mail that the server no longer finds at its new location, after the next read of the mailbox', async () => {
    const mail = await arrived('junk');
    later(AFTERNOON_MS);
    const gone = new MailError({ failure: 'permanent', stage: 'request', message: 'The message no longer exists' });
    jest.spyOn(session(), 'move').mockRejectedValueOnce(gone);
    await open();
    const { opensAt, openedAt } = (await warmup.records.receiverSide(mail))!;
    expect(openedAt).toBeUndefined();
    expect(opensAt!.getTime()).toBeGreaterThan(warmup.clock.now().getTime());
    expect(await warmup.records.figures(bob)).toEqual({ received: 1 });
    warmup.deliveries.box(bob).move(there(mail), 'inbox');
    await warmup.deliveries.read(bob);
    later(HOUR_MS);
    await open();
    expect(there(mail)).toMatchObject({ folder: 'own:Warmup', flags: { seen: true } });
    expect(await warmup.records.figures(bob)).toEqual({ received: 1, rescued: 1 });
  });

  it('retries an unreachable mailbox without delaying others', async () => {
    const carl = await warmup.members.createColleague(bob);
    const mail = await arrived('junk');
    const other = await warmup.deliveries.send(ann, carl);
    await warmup.deliveries.deliver(other, ann, carl);
    later(AFTERNOON_MS);
    warmup.deliveries.box(bob).trouble = broken();
    await open();
    expect((await warmup.records.receiverSide(other))!.openedAt).toBeInstanceOf(Date);
    const { opensAt } = (await warmup.records.receiverSide(mail))!;
    expect(opensAt!.getTime()).toBeGreaterThan(warmup.clock.now().getTime());
    warmup.deliveries.box(bob).trouble = null;
    later(HOUR_MS);
    await open();
    expect((await warmup.records.receiverSide(mail))!.rescuedAt).toBeInstanceOf(Date);
  });

  it('gives up after three days of failures', async () => {
    const mail = await arrived('inbox');
    warmup.deliveries.box(bob).trouble = broken();
    later(73 * HOUR_MS);
    await open();
    const received = (await warmup.records.receiverSide(mail))!;
    expect(received.opensAt).toBeUndefined();
    expect(received.openedAt).toBeUndefined();
    warmup.deliveries.box(bob).trouble = null;
  });

  it('reports the DKIM signature and the sending address of the sender’s domain', async () => {
    const seen: unknown[] = [];
    addListener(warmup.get(HookRegistry), SENT_MAIL_HOOKS, {
      signed: async ({ workspaceId }, domain, selector) => void seen.push([workspaceId, domain, selector]),
      originated: async ({ workspaceId }, mailboxId, address) => void seen.push([workspaceId, mailboxId, address]),
    });
    const received = 'Received: from out.senders.test (out.senders.test [8.8.4.4]) by mx.test; Wed, 25 Nov 2026';
    await arrived('inbox', `${received}\r\nDKIM-Signature: v=1; a=rsa-sha256; d=senders.test;\r\n s=autumn; b=abc`);
    later(AFTERNOON_MS);
    await open();
    const { workspaceId } = ann.workspace;
    expect(seen).toEqual([
      [workspaceId, 'senders.test', 'autumn'],
      [workspaceId, ann.mailbox._id.toHexString(), '8.8.4.4'],
    ]);
  });
});

function broken(): MailError {
  return new MailError({ failure: 'temporary', stage: 'request', message: 'The connection broke' });
}
