import { MailboxFiguresService, MailboxUpdateService } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { refused } from './scripted-server';
import { type SendingFixture } from './sending-fixture';

/** What became of the mail of a subject. */
export type MailState = 'due' | 'claimed' | 'sending' | 'sent' | 'ambiguous' | 'failed';

/** One source with one mail that is due. */
export interface MailSourceSubject {
  readonly engine: SendingFixture;
  /** Creates a mailbox and its mail; returns the mailbox. */
  begin(): Promise<string>;
  /** Runs the sender of the mail once. */
  run(mailboxId: string): Promise<unknown>;
  state(): Promise<MailState>;
  close(): Promise<void>;
}

export interface MailSourceTraits {
  /** It is sent under the lease of the mailbox, and uses the budget from its claim on. */
  readonly isLeased: boolean;
  /** A run sends what an earlier one left; false for a mail that a person sends again. */
  readonly isRepeated: boolean;
}

const HOUR_MS = 3_600_000;

/** The guarantees of the pipeline, for the mail of any source. */
export function describeOutboundMailSource(
  name: string,
  open: () => Promise<MailSourceSubject>,
  { isLeased, isRepeated }: MailSourceTraits,
): void {
  const onlyIf = (condition: boolean) => (condition ? it : it.skip);

  describe(`the pipeline for ${name}`, () => {
    let subject: MailSourceSubject;
    let mailboxId: string;

    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());
    beforeEach(async () => {
      mailboxId = await subject.begin();
    });

    const server = () => subject.engine.server;
    const run = () => subject.run(mailboxId);
    const expire = async () => {
      if (isLeased) await subject.engine.expire(mailboxId);
    };
    const crashed = async (when: 'beforeHandover' | 'onHandover') => {
      server()[when] = () => Promise.reject(new Error('killed'));
      await expect(run()).rejects.toThrow('killed');
      server()[when] = () => undefined;
      await expire();
      subject.engine.clock.advance(HOUR_MS / 10);
    };
    const used = async (): Promise<number> => {
      if (isLeased) return (await subject.engine.leaseOf(mailboxId)).dayUsed;
      const mailbox = { _id: new Types.ObjectId(mailboxId), timezone: 'UTC' };
      const sent = await subject.engine.get(MailboxFiguresService).sentToday(subject.engine.workspace, [mailbox]);
      return sent.get(mailboxId) ?? 0;
    };

    it('sends it once and counts it', async () => {
      await run();
      expect(await subject.state()).toBe('sent');
      if (isRepeated) await run();
      expect(server().given).toHaveLength(1);
      expect(await used()).toBe(1);
    });

    onlyIf(isRepeated)('sends it once, although two workers run at the same time', async () => {
      await Promise.all([run(), run()]);
      // The worker without the lease may have postponed the mail before the other found it.
      await run();
      expect(server().given).toHaveLength(1);
      expect(await used()).toBe(1);
    });

    it('returns the budget when the server cannot be reached', async () => {
      server().answers.push(refused('temporary', 'connect'));
      await run();
      expect(server().given).toEqual([]);
      expect(await used()).toBe(0);
    });

    onlyIf(isRepeated)('hands nothing over after a pause of the mailbox was acknowledged', async () => {
      server().beforeHandover = async () => {
        server().beforeHandover = () => undefined;
        await subject.engine.get(MailboxUpdateService).pause(subject.engine.workspace, mailboxId);
      };
      await run();
      expect(server().given).toEqual([]);
      expect(await subject.state()).toBe('due');
      expect(await used()).toBe(0);
    });

    onlyIf(isRepeated)('sends it once after a crash between claim and handover', async () => {
      await crashed('beforeHandover');
      expect(server().given).toEqual([]);
      await run();
      expect(server().given).toHaveLength(1);
      expect(await used()).toBe(1);
    });

    onlyIf(isRepeated)('never hands it over again after a crash during the handover', async () => {
      await crashed('onHandover');
      expect(await subject.state()).toBe('sending');
      await run();
      await run();
      expect(server().given).toHaveLength(1);
      expect(['sending', 'ambiguous']).toContain(await subject.state());
      expect(await used()).toBe(1);
    });

    it('never hands it over again when the server gave no answer', async () => {
      server().answers.push(refused('ambiguous', 'handover'));
      await run();
      if (isRepeated) await run();
      expect(server().given).toHaveLength(1);
      expect(await used()).toBe(1);
    });

    onlyIf(isLeased)('hands nothing over for a worker that has lost its lease', async () => {
      server().beforeHandover = async () => {
        server().beforeHandover = () => undefined;
        await expire();
        await run();
      };
      await run();
      expect(server().given).toHaveLength(1);
      expect(await used()).toBe(1);
    });

    onlyIf(isRepeated)('sends it later after a temporary refusal', async () => {
      server().answers.push(refused('temporary', 'recipient', '451 4.3.0 Later'));
      await run();
      expect(await subject.state()).toBe('due');
      subject.engine.clock.advance(HOUR_MS / 2);
      await run();
      expect(await subject.state()).toBe('sent');
      expect(server().given).toHaveLength(1);
    });

    it('does not send it again after a permanent refusal', async () => {
      server().answers.push(refused('permanent', 'recipient', '550 5.1.1 No such user'));
      await run();
      if (isRepeated) await run();
      expect(await subject.state()).toBe('failed');
      expect(server().given).toEqual([]);
    });

    onlyIf(isLeased)('stops the mailbox when its server refuses the sender', async () => {
      server().answers.push(refused('permanent', 'sender', '550 5.7.1 Not you'));
      await run();
      expect((await subject.engine.leaseOf(mailboxId)).stopped).toMatchObject({ message: '550 5.7.1 Not you' });
      subject.engine.clock.advance(HOUR_MS / 10);
      await run();
      expect(server().given).toEqual([]);
    });
  });
}
