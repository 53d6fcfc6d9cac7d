import { CampaignCountersService } from '@domain/campaigns';
import { MailboxSenderService } from '@domain/sending';
import { type SendRecord, SendRepository, MailboxLeaseService } from '@domain/sends';
import { type INestApplicationContext } from '@nestjs/common';
import { type Platform, startPlatform, startTestWorker, violations } from '../harness';
import { excludeFromReuse } from '@testing';
import { getDatabase, expireLeases, settleSending } from '../harness/sending';
import { SendingUnderFaults } from './sending-environment';

/** A place in the code at which whoever comes by is held up until the test lets them go on. */
class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();
  #arrived = 0;

  constructor(private readonly expected = 1) {}

  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  async pass(): Promise<void> {
    this.#arrived += 1;
    if (this.#arrived === this.expected) this.#reached.resolve();
    await this.#opened.promise;
  }

  open(): void {
    this.#opened.resolve();
  }
}

const NEVER = new AbortController().signal;

/**
 * Each guard of the engine is taken away, in a run in which nothing else protects: the checker must see it. The same run
 * with the guard in its place breaks nothing.
 */
describe('with each guard removed, the invariants are broken and the checker says so', () => {
  let platform: Platform;
  let worker: INestApplicationContext;

  beforeEach(async () => {
    platform = await startPlatform();
    worker = await startTestWorker(platform, { consuming: false });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await worker.close();
    await platform.close();
  });

  const get = <T>(service: abstract new (...given: never[]) => T): T => worker.get<T>(service, { strict: false });
  /** What a turn is made of: nobody outside the engine may have it, but a test that takes its guards away. */
  const parts = () => {
    const sender = get(MailboxSenderService);
    return { claims: sender['claims'], handovers: sender['handovers'], outcomes: sender['outcomes'] };
  };
  const turnOf = ({ workspaceId, mailboxes }: SendingUnderFaults, at = 0) =>
    get(MailboxSenderService).run({ workspaceId, mailboxId: mailboxes[at]!._id }, NEVER);
  const broken = async ({ workspaceId, acts }: SendingUnderFaults, settled = false) =>
    (await violations(platform, workspaceId, { acts, settled })).map((line) => line.slice(0, 1));
  /** The next one that comes to `method` is held up before, or after, it does its work. */
  const heldUp = (object: object, method: string, when: 'before' | 'after', gate = new Gate(), times = 1): Gate => {
    const methods = object as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const original = methods[method]!.bind(object);
    let left = times;
    jest.spyOn(methods, method).mockImplementation(async (...given) => {
      const stops = left > 0;
      left -= 1;
      if (stops && when === 'before') await gate.pass();
      const result = await original(...given);
      if (stops && when === 'after') await gate.pass();
      return result;
    });
    return gate;
  };

  describe('withholding what is claimed', () => {
    async function pausedAfterTheLastLook(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1'], steps: 1 });
      await scenario.begin();
      const gate = heldUp(parts().handovers['guard'], 'allows', 'after');
      const turn = turnOf(scenario);
      await gate.reached;
      await scenario.pauseCampaign();
      platform.clock.advance(5_000);
      gate.open();
      await turn;
      return broken(scenario);
    }

    it('nothing is given away after the pause was acknowledged', async () => {
      expect(await pausedAfterTheLastLook()).toEqual([]);
    });

    it('removed: it is', async () => {
      jest.spyOn(platform.app.get(SendRepository, { strict: false }), 'withhold').mockResolvedValue([]);
      expect(await pausedAfterTheLastLook()).toContain('6');
    });
  });

  describe('the last look before the wire', () => {
    async function pausedBeforeTheClaim(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1'], steps: 1 });
      await scenario.begin();
      const gate = heldUp(parts().claims, 'claim', 'before');
      const turn = turnOf(scenario);
      await gate.reached;
      await scenario.pauseCampaign();
      gate.open();
      await turn;
      return broken(scenario);
    }

    it('sees a pause that came before the claim', async () => {
      expect(await pausedBeforeTheClaim()).toEqual([]);
    });

    it('removed: what was planned before the pause is given away after it', async () => {
      jest.spyOn(parts().handovers['guard'], 'allows').mockResolvedValue(true);
      expect(await pausedBeforeTheClaim()).toContain('6');
    });
  });

  describe('the marker that a message is on the wire', () => {
    async function killedWithTheServersYes(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1'], steps: 1 });
      await scenario.begin();
      // As if the worker had been killed when the server had accepted it, and before it could write that.
      jest.spyOn(parts().outcomes, 'write').mockRejectedValueOnce(new Error('killed'));
      for (let turn = 0; turn < 3; turn += 1) {
        await turnOf(scenario).catch(() => {});
        await expireLeases(platform);
      }
      return broken(scenario);
    }

    it('keeps it from being sent again', async () => {
      expect(await killedWithTheServersYes()).toEqual([]);
    });

    it('removed: it is sent twice', async () => {
      jest.spyOn(parts().handovers['batches'], 'markSending').mockResolvedValue(true);
      expect(await killedWithTheServersYes()).toContain('1');
    });
  });

  describe('the fence of a turn', () => {
    async function lateAfterTheLease(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, {
        leads: ['fine.1', 'fine.2'],
        steps: 1,
        mailbox: { dailySendLimit: 1 },
      });
      await scenario.begin();
      const gate = heldUp(parts().claims, 'claim', 'before');
      const late = turnOf(scenario);
      await gate.reached;
      await expireLeases(platform);
      await turnOf(scenario); // sends one, and with it all that the mailbox may send today
      gate.open();
      await late.catch(() => {});
      return broken(scenario);
    }

    it('refuses who comes late: the day’s limit holds', async () => {
      expect(await lateAfterTheLease()).toEqual([]);
    });

    it('removed: the mailbox sends more than it may', async () => {
      unfenced();
      expect(await lateAfterTheLease()).toContain('7');
    });
  });

  describe('the unique index on the sends', () => {
    /**
     * Two mailboxes take the same lead at once, and nothing but the index keeps one of them from it. Each claims as if it had
     * looked for a send before the other one wrote it: the database of the tests would see that race by itself, MongoDB's
     * snapshots do not.
     */
    async function takenByTwo(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, {
        mailboxes: 2,
        leads: Array.from({ length: 8 }, (_, index) => `fine.${index}`),
        steps: 1,
      });
      const { claims, handovers } = parts();
      const sends = getDatabase(platform).collection<SendRecord>('sends');
      jest.spyOn(claims['batches'], 'claim').mockResolvedValue(null);
      jest.spyOn(claims['leads'], 'reserve').mockResolvedValue(true);
      jest.spyOn(handovers['guard'], 'allows').mockResolvedValue(true);
      jest.spyOn(claims['sends'], 'claim').mockImplementation(async (fields) => {
        const send = { ...fields, state: 'claimed', attempt: 1, createdAt: fields.claimedAt } as SendRecord;
        return sends.insertOne(send as never).then(
          () => send,
          () => null,
        );
      });
      await scenario.begin();
      const gate = heldUp(claims, 'claim', 'before', new Gate(2), 2);
      const turns = [turnOf(scenario, 0), turnOf(scenario, 1)];
      await gate.reached;
      gate.open();
      await Promise.allSettled(turns);
      return broken(scenario);
    }

    it('lets one of two have a lead that both take', async () => {
      expect(await takenByTwo()).not.toContain('1');
    });

    it('removed: both write to it', async () => {
      excludeFromReuse(platform.config);
      const sends = getDatabase(platform).collection('sends');
      const index = (await sends.indexes()).find(({ unique, key }) => unique && 'leadId' in key);
      await sends.dropIndex(index!.name!);
      expect(await takenByTwo()).toContain('1');
    });
  });

  describe('counting in the transaction of what is counted', () => {
    async function sentToAll(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1', 'rcpt-550.2'], steps: 1 });
      await scenario.begin();
      await settleByHand(scenario);
      return broken(scenario, true);
    }

    it('keeps the figures right', async () => {
      expect(await sentToAll()).toEqual([]);
    });

    it('removed: the checker recounts', async () => {
      jest.spyOn(get(CampaignCountersService), 'count').mockResolvedValue();
      expect(await sentToAll()).toContain('3');
    });
  });

  it('gives back the place of a lead that was erased while the worker died over its email', async () => {
    const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1', 'fine.2'], steps: 1 });
    await scenario.begin();
    jest.spyOn(parts().handovers, 'handOver').mockRejectedValueOnce(new Error('killed'));
    await turnOf(scenario).catch(() => {});
    const [claimed] = await scenario.sends();
    await scenario.actOn('remove', [String(claimed!.leadId)]);
    await settleByHand(scenario);
    expect(await violations(platform, scenario.workspaceId, { settled: true })).toEqual([]);
    expect(await scenario.accepted()).toBe(1);
  });

  /** Nobody consumes: turns are run as the sweep would have them run. */
  async function settleByHand(scenario: SendingUnderFaults): Promise<void> {
    const run = jest.spyOn(get(MailboxLeaseService), 'sweep').mockImplementation(async () => {
      for (const index of scenario.mailboxes.keys()) await turnOf(scenario, index);
      return 0;
    });
    await settleSending(platform, worker, scenario.workspaceId);
    run.mockRestore();
  }

  /** Whoever writes the budget or takes a turn's claim is believed to hold it. */
  function unfenced(): void {
    const turns = get(MailboxLeaseService);
    const original = turns.writeBudget.bind(turns);
    const believed = async (turn: Parameters<MailboxLeaseService['writeBudget']>[0]) => {
      const { holder, fence } = await getDatabase(platform)
        .collection<{ holder: string; fence: number }>('mailbox_leases')
        .findOneAndUpdate({}, { $set: { stopped: null } }, { returnDocument: 'after' })
        .then((found) => found!);
      return { ...turn, holder, fence };
    };
    jest
      .spyOn(turns, 'writeBudget')
      .mockImplementation(async (turn, budget, options) => original(await believed(turn), budget, options));
    jest.spyOn(parts().claims['batches'], 'claim').mockResolvedValue(null);
  }
});
