import { randomUUID } from 'node:crypto';
import { describeMailDriver } from '../conformance/mail-conformance';
import { type MailTestEnvironment } from '../conformance/mail-test-environment';
import { FakeMailDriver } from './fake-mail.driver';

const open = (): Promise<MailTestEnvironment> => {
  const driver = new FakeMailDriver();
  const address = 'grace@fake.test';
  const mailbox = driver.mailbox(address);
  const account = { kind: 'fake', id: 'a', revision: '1', email: address } as const;
  const session = driver.open(account);
  return Promise.resolve({
    session,
    address,
    anotherSession: () => driver.open(account),
    refusedSession: () => {
      const refused = driver.open({ ...account, email: 'refused@fake.test' });
      driver.mailbox('refused@fake.test').refusesLogin = true;
      return refused;
    },
    recipient: (fate) => {
      const to = `${randomUUID()}@elsewhere.test`;
      mailbox.fate(to, fate);
      return to;
    },
    acceptedFor: async (recipient) =>
      mailbox.sent.filter(({ to }) => to === recipient).map(({ messageId }) => messageId),
    deliver: async (raw, role) => void (await mailbox.deliver(raw, role)),
    elsewhere: async (messageId, act) => {
      const message = mailbox.byMessageId(messageId);
      if (act === 'delete') mailbox.remove(message);
      else if (act === 'move-to-junk') mailbox.move(message, 'junk');
      else mailbox.flag(message, { seen: act === 'read' });
    },
    forgetHistory: async () => void (mailbox.epoch += 1),
    breakConnections: () => Promise.resolve(),
    close: () => session.close(),
  });
};

it('The fake reports a change once, even when another session reads it', async () => {
  const driver = new FakeMailDriver();
  const session = driver.open({ kind: 'fake', id: 'a', revision: '1', email: 'a@fake.test' });
  await driver.mailbox('a@fake.test').deliver(Buffer.from('Subject: x\r\n\r\nx'), 'inbox');
  const { signal } = new AbortController();
  expect(await session.waitForChange({ atMostMs: 1, signal })).toBe(true);
  expect(await session.waitForChange({ atMostMs: 1, signal })).toBe(false);
  expect(await session.waitForChange({ atMostMs: 60_000, signal: AbortSignal.abort() })).toBe(false);
});

describeMailDriver('The fake', open, { provesNotSent: true, keepsIdOnMove: true });
