import { CampaignCountersService } from '@domain/campaigns';
import { type CampaignMailSourceService, MailboxSenderService, OUTBOUND_MAIL_SOURCES } from '@domain/sending';
import { type SendRecord, SendRepository, MailboxLeaseService } from '@domain/sends';
import { type INestApplicationContext } from '@nestjs/common';
import { HookRegistry } from '@platform/hooks';
import { type Platform, startPlatform, startTestWorker, violations } from '../harness';
import { excludeFromReuse } from '@testing';
import { getDatabase, expireLeases, settleSending } from '../harness/sending';
import { SendingUnderFaults } from './sending-environment';

/** A point in the code at which callers wait until the test releases them. */
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
 * Each test removes one guard of the engine in a run in which no other guard protects: the checker must find the
 * violation. The same run with the guard violates nothing.
 */
describe('the invariants without one of the guards', () => {
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
  /** The emails of campaigns; only these tests access their parts, to remove their guards. */
  const campaigns = () => get(HookRegistry).get(OUTBOUND_MAIL_SOURCES, 'campaigns') as CampaignMailSourceService;
  const runSender = ({ workspaceId, mailboxes }: SendingUnderFaults, at = 0) =>
    get(MailboxSenderService).run({ workspaceId, mailboxId: mailboxes[at]!._id }, NEVER);
  const broken = async ({ workspaceId, acts }: SendingUnderFaults, settled = false) =>
    (await violations(platform, workspaceId, { acts, settled })).map((line) => line.slice(0, 1));
  /** The next call of `method` waits before, or after, its work. */
  const blockNextCall = (
    object: object,
    method: string,
    when: 'before' | 'after',
    gate = new Gate(),
    times = 1,
  ): Gate => {
    const methods = object as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const original = methods[method]!.bind(object);
    let left = times;
    jest.spyOn(methods, method).mockImplementation(async (...given) => {
      const blocks = left > 0;
      left -= 1;
      if (blocks && when === 'before') await gate.pass();
      const result = await original(...given);
      if (blocks && when === 'after') await gate.pass();
      return result;
    });
    return gate;
  };

  describe('withholding claimed sends', () => {
    async function pausedAfterTheLastCheck(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1'], steps: 1 });
      await scenario.begin();
      const gate = blockNextCall(campaigns()['guard'], 'allows', 'after');
      const run = runSender(scenario);
      await gate.reached;
      await scenario.pauseCampaign();
      platform.clock.advance(5_000);
      gate.open();
      await run;
      return broken(scenario);
    }

    it('prevents a handover after the acknowledgement of a pause', async () => {
      expect(await pausedAfterTheLastCheck()).toEqual([]);
    });

    it('is necessary: without it, the email is submitted', async () => {
      jest.spyOn(platform.app.get(SendRepository, { strict: false }), 'withhold').mockResolvedValue([]);
      expect(await pausedAfterTheLastCheck()).toContain('6');
    });
  });

  describe('the last check before the handover', () => {
    async function pausedBeforeTheClaim(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1'], steps: 1 });
      await scenario.begin();
      const gate = blockNextCall(campaigns()['claims'], 'claim', 'before');
      const run = runSender(scenario);
      await gate.reached;
      await scenario.pauseCampaign();
      gate.open();
      await run;
      return broken(scenario);
    }

    it('sees a pause that came before the claim', async () => {
      expect(await pausedBeforeTheClaim()).toEqual([]);
    });

    it('is necessary: without it, an email that was planned before the pause is submitted after it', async () => {
      jest.spyOn(campaigns()['guard'], 'allows').mockResolvedValue(true);
      expect(await pausedBeforeTheClaim()).toContain('6');
    });
  });

  describe('the marker of a message in transit', () => {
    async function killedAfterAcceptance(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1'], steps: 1 });
      await scenario.begin();
      // As if the worker had been killed after the server’s acceptance and before it wrote the outcome.
      jest.spyOn(campaigns(), 'settleTogether').mockRejectedValueOnce(new Error('killed'));
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await runSender(scenario).catch(() => {});
        await expireLeases(platform);
      }
      return broken(scenario);
    }

    it('prevents a second handover', async () => {
      expect(await killedAfterAcceptance()).toEqual([]);
    });

    it('is necessary: without it, the email is sent twice', async () => {
      jest.spyOn(campaigns()['batches'], 'markSending').mockResolvedValue(true);
      expect(await killedAfterAcceptance()).toContain('1');
    });
  });

  describe('the fence of a mailbox lease', () => {
    async function lateAfterTheLease(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, {
        leads: ['fine.1', 'fine.2'],
        steps: 1,
        mailbox: { dailySendLimit: 1 },
      });
      await scenario.begin();
      const gate = blockNextCall(campaigns()['claims'], 'claim', 'before');
      const late = runSender(scenario);
      await gate.reached;
      await expireLeases(platform);
      await runSender(scenario); // sends one email, which exhausts the mailbox’s daily limit
      gate.open();
      await late.catch(() => {});
      return broken(scenario);
    }

    it('rejects a late holder, so the daily limit holds', async () => {
      expect(await lateAfterTheLease()).toEqual([]);
    });

    it('is necessary: without it, the mailbox exceeds its limit', async () => {
      unfenced();
      expect(await lateAfterTheLease()).toContain('7');
    });
  });

  describe('the unique index on the sends', () => {
    /**
     * Two mailboxes claim the same lead in parallel, and only the index prevents one of the claims. Each claims as if
     * it had read before the other wrote. The database of the tests would detect that race itself; MongoDB’s
     * snapshots do not.
     */
    async function claimedByTwo(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, {
        mailboxes: 2,
        leads: Array.from({ length: 8 }, (_, index) => `fine.${index}`),
        steps: 1,
      });
      const { claims, guard } = { claims: campaigns()['claims'], guard: campaigns()['guard'] };
      const sends = getDatabase(platform).collection<SendRecord>('sends');
      jest.spyOn(claims['batches'], 'claim').mockResolvedValue(null);
      jest.spyOn(claims['leads'], 'reserve').mockResolvedValue(true);
      jest.spyOn(guard, 'allows').mockResolvedValue(true);
      jest.spyOn(claims['sends'], 'claim').mockImplementation(async (fields) => {
        const send = { ...fields, state: 'claimed', attempt: 1, createdAt: fields.claimedAt } as SendRecord;
        return sends.insertOne(send as never).then(
          () => send,
          () => null,
        );
      });
      await scenario.begin();
      const gate = blockNextCall(claims, 'claim', 'before', new Gate(2), 2);
      const runs = [runSender(scenario, 0), runSender(scenario, 1)];
      await gate.reached;
      gate.open();
      await Promise.allSettled(runs);
      return broken(scenario);
    }

    it('lets only one of two parallel claims of a lead succeed', async () => {
      expect(await claimedByTwo()).not.toContain('1');
    });

    it('is necessary: without it, both mailboxes write to the lead', async () => {
      excludeFromReuse(platform.config);
      const sends = getDatabase(platform).collection('sends');
      const index = (await sends.indexes()).find(({ unique, key }) => unique && 'leadId' in key);
      await sends.dropIndex(index!.name!);
      expect(await claimedByTwo()).toContain('1');
    });
  });

  describe('counting in the transaction of the outcome', () => {
    async function sentToAll(): Promise<string[]> {
      const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1', 'rcpt-550.2'], steps: 1 });
      await scenario.begin();
      await settleByHand(scenario);
      return broken(scenario, true);
    }

    it('keeps the figures right', async () => {
      expect(await sentToAll()).toEqual([]);
    });

    it('is necessary: without it, the recount finds a difference', async () => {
      jest.spyOn(get(CampaignCountersService), 'count').mockResolvedValue();
      expect(await sentToAll()).toContain('3');
    });
  });

  it('releases the reservation of a lead that was erased while its worker crashed with the email', async () => {
    const scenario = await SendingUnderFaults.start(platform, { leads: ['fine.1', 'fine.2'], steps: 1 });
    await scenario.begin();
    jest.spyOn(campaigns(), 'prepare').mockRejectedValueOnce(new Error('killed'));
    await runSender(scenario).catch(() => {});
    const [claimed] = await scenario.sends();
    await scenario.actOn('remove', [String(claimed!.leadId)]);
    await settleByHand(scenario);
    expect(await violations(platform, scenario.workspaceId, { settled: true })).toEqual([]);
    expect(await scenario.accepted()).toBe(1);
  });

  /** No worker consumes jobs: runs are started as the sweep would start them. */
  async function settleByHand(scenario: SendingUnderFaults): Promise<void> {
    const run = jest.spyOn(get(MailboxLeaseService), 'sweep').mockImplementation(async () => {
      for (const index of scenario.mailboxes.keys()) await runSender(scenario, index);
      return 0;
    });
    await settleSending(platform, worker, scenario.workspaceId);
    run.mockRestore();
  }

  /** Treats every writer of a budget and every claim as the holder of the lease. */
  function unfenced(): void {
    const leases = get(MailboxLeaseService);
    const original = leases.writeBudget.bind(leases);
    const asHolder = async (lease: Parameters<MailboxLeaseService['writeBudget']>[0]) => {
      const { holder, fence } = await getDatabase(platform)
        .collection<{ holder: string; fence: number }>('mailbox_leases')
        .findOneAndUpdate({}, { $set: { stopped: null } }, { returnDocument: 'after' })
        .then((found) => found!);
      return { ...lease, holder, fence };
    };
    jest
      .spyOn(leases, 'writeBudget')
      .mockImplementation(async (lease, budget, options) => original(await asHolder(lease), budget, options));
    jest.spyOn(campaigns()['claims']['batches'], 'claim').mockResolvedValue(null);
  }
});
