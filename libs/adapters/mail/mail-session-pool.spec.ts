import { FakeMailDriver } from './fake/fake-mail.driver';
import { MailSessionPool } from './mail-session-pool';
import { type MailAccount } from './port/account';
import { type MailDriver } from './port/driver';
import { type MailSession } from './port/session';

/** Counts opened and closed sessions. */
class CountingDriver implements MailDriver<'fake'> {
  readonly kind = 'fake';
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  readonly #fake = new FakeMailDriver();

  open(account: Extract<MailAccount, { kind: 'fake' }>): MailSession {
    const name = `${account.id}/${account.revision}`;
    this.opened.push(name);
    const session = this.#fake.open(account);
    const close = session.close.bind(session);
    session.close = () => {
      this.closed.push(name);
      return close();
    };
    return session;
  }
}

const account = (id: string, revision = '1') => ({ kind: 'fake', id, revision, email: `${id}@fake.test` }) as const;
const same = (session: MailSession) => Promise.resolve(session);

describe('MailSessionPool', () => {
  let driver: CountingDriver;
  beforeEach(() => {
    driver = new CountingDriver();
  });

  it('shares one session among all users of a mailbox', async () => {
    const sessions = new MailSessionPool([driver]);
    const [first, second] = await Promise.all([sessions.use(account('a'), same), sessions.use(account('a'), same)]);
    expect(first).toBe(second);
    expect(driver.opened).toEqual(['a/1']);
    expect(driver.closed).toEqual([]);
  });

  it('opens another session for other credentials and ends the old one when its last user is done', async () => {
    const sessions = new MailSessionPool([driver]);
    const held = Promise.withResolvers<void>();
    const using = sessions.use(account('a', '1'), () => held.promise);
    await sessions.use(account('a', '2'), same);
    expect(driver.opened).toEqual(['a/1', 'a/2']);
    expect(driver.closed).toEqual([]);
    held.resolve();
    await using;
    expect(driver.closed).toEqual(['a/1']);
  });

  it('closes the least recently used session above the limit, but none in use', async () => {
    const sessions = new MailSessionPool([driver], 2);
    const held = Promise.withResolvers<void>();
    const using = sessions.use(account('a'), () => held.promise);
    await sessions.use(account('b'), same);
    await sessions.use(account('c'), same);
    await sessions.use(account('d'), same);
    expect(driver.closed).toEqual(['b/1', 'c/1']);
    held.resolve();
    await using;
    expect(driver.closed).toEqual(['b/1', 'c/1']);
  });

  it('closes a single-use session, even when the work fails', async () => {
    const sessions = new MailSessionPool([driver]);
    await expect(sessions.once(account('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(driver.closed).toEqual(['a/1']);
  });

  it('closes the session of a mailbox at once', async () => {
    const sessions = new MailSessionPool([driver]);
    await sessions.use(account('a'), same);
    await sessions.forget('a');
    await sessions.forget('a');
    expect(driver.closed).toEqual(['a/1']);
  });

  it('closes a session of older credentials even if it is in use', async () => {
    for (const end of ['forget', 'onModuleDestroy'] as const) {
      driver = new CountingDriver();
      const sessions = new MailSessionPool([driver]);
      const held = Promise.withResolvers<void>();
      const using = sessions.use(account('a', '1'), () => held.promise);
      await sessions.use(account('a', '2'), same);
      await sessions[end]('a');
      expect(driver.closed.toSorted()).toEqual(['a/1', 'a/2']);
      held.resolve();
      await using;
    }
  });

  it('closes everything when the process ends', async () => {
    const sessions = new MailSessionPool([driver]);
    await sessions.use(account('a'), same);
    await sessions.use(account('b'), same);
    await sessions.onModuleDestroy();
    expect(driver.closed).toEqual(['a/1', 'b/1']);
  });

  it('fails for a kind of mailbox without a driver', async () => {
    await expect(new MailSessionPool([]).use(account('a'), same)).rejects.toThrow('no mail driver for fake');
  });
});
