import { MailboxFiguresService, type MailboxRecord } from '@domain/mailboxes';
import { type Budget, MailboxLeaseService, type MailboxLeaseState } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { getDay } from '@platform/time';
import { MailboxReadBatchService } from '../pipeline/batching/mailbox-read-batch.service';

type Budgeted = Pick<MailboxRecord, '_id' | 'workspaceId' | 'timezone'>;

/**
 * What mailboxes have used of their day. Runs keep their own count; test mails of people are counted only in the
 * mailbox's figures. The larger of the two counts applies.
 */
@Injectable()
export class SendBudgetRepository {
  constructor(
    private readonly leases: MailboxLeaseService,
    private readonly figures: MailboxFiguresService,
    private readonly reads: MailboxReadBatchService,
    private readonly clock: ClockPort,
  ) {}

  /** Lease states by mailbox, without mailboxes that never had a run. All mailboxes belong to one workspace. */
  async statesOf(mailboxes: readonly Budgeted[]): Promise<Map<string, MailboxLeaseState>> {
    const [first] = mailboxes;
    if (!first) return new Map();
    const workspaceId = first.workspaceId.toHexString();
    const ids = mailboxes.map(({ _id }) => _id.toHexString());
    const [states, sent] = await Promise.all([
      this.leases.findStates(workspaceId, ids),
      this.figures.sentToday({ workspaceId }, mailboxes),
    ]);
    const merged = mailboxes.flatMap((mailbox) => {
      const id = mailbox._id.toHexString();
      const state = states.get(id);
      return state ? [[id, this.#merged(mailbox, state, sent.get(id) ?? 0)] as const] : [];
    });
    return new Map(merged);
  }

  /** Returns the budget of a run, including other mail that the mailbox has sent today. */
  async current<B extends Budget>(mailbox: Budgeted, budget: B): Promise<B> {
    return this.#merged(mailbox, budget, await this.reads.sentToday(mailbox));
  }

  #merged<B extends Budget>({ timezone }: Budgeted, budget: B, sentToday: number): B {
    const day = getDay(this.clock.now(), timezone);
    const { dayUsed, dayWarmup } = budget.day === day ? budget : { dayUsed: 0, dayWarmup: 0 };
    return sentToday > dayUsed ? { ...budget, day, dayUsed: sentToday, dayWarmup } : budget;
  }
}
