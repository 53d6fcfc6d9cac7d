import { isDeepStrictEqual } from 'node:util';
import { systemScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { getDay } from '@platform/time';
import { type Model, type Types } from 'mongoose';
import { WarmupMailRepository } from '../mail/sending/warmup-mail.repository';
import { getMetrics } from '../plan/metrics';
import { closeDay } from '../plan/progress';
import { WarmupDayRecord } from '../schemas/warmup-day.record';
import { type WarmupMetrics, WarmupRecord } from '../schemas/warmup.record';
import { type Warmup, type WarmupState, toMailboxWarmup } from './warmup-state';
import { isWarming } from './warmup-status';
import { WarmupRepository } from './warmup.repository';

/** Progress of warmups: closes days (growth, slowdown, suspension, completion) and refreshes metrics. */
@Injectable()
export class WarmupProgressService {
  constructor(
    @InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>,
    @InjectModel(WarmupRecord.name) private readonly records: Model<WarmupRecord>,
    private readonly warmups: WarmupRepository,
    private readonly mails: WarmupMailRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly mailboxes: MailboxRepository,
  ) {}

  /**
   * Closes every open day of a run before today, each once, and calculates its metrics. Call this before a day is planned: the
   * result tells status and volume. Does nothing for a warmup that does not send.
   * @throws NOT_FOUND for a deleted mailbox
   */
  async closeDays(workspaceId: string, mailboxId: string): Promise<Warmup> {
    return this.transactions.run(async () => {
      const before = await this.warmups.find({ workspaceId }, mailboxId);
      if (!isWarming(before.state.status)) return before;
      const days = await this.#listDays(before);
      const { mailbox, state } = before;
      const today = getDay(this.clock.now(), state.config.timezone ?? mailbox.timezone);
      const open = days.filter(({ day }) => day > state.closedDay && day < today);
      if (open.length === 0) return before;
      const closed = open.reduce((warmup, day) => this.#closeDay(warmup, days, day), before);
      const metrics = getMetrics(days, this.clock.now());
      const after = await this.warmups.write(before, { ...closed.state, metrics });
      await this.#recordStatusChange(before, after);
      return after;
    });
  }

  /**
   * Calculates the metrics of a run from its daily figures, and writes them when they have changed.
   * @throws NOT_FOUND for a deleted mailbox
   */
  async refreshMetrics(workspaceId: Types.ObjectId, mailboxId: Types.ObjectId): Promise<void> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    await this.transactions.run(async () => {
      const { mailbox, state } = await this.warmups.find(workspace, mailboxId.toHexString());
      if (state.startedOn === '') return;
      const days = await this.days
        .find({ workspaceId, mailboxId, day: { $gte: state.startedOn } })
        .sort({ day: 1 })
        .lean<WarmupDayRecord[]>();
      const metrics = getMetrics(days, this.clock.now());
      if (state.metrics && isDeepStrictEqual(getFigures(state.metrics), getFigures(metrics))) return;
      // Metrics are neither status nor settings, so the revision stays.
      await this.records.updateOne({ _id: mailboxId, workspaceId }, { $set: { metrics } });
      await this.mailboxes.writeWarmup(
        workspace,
        mailboxId,
        toMailboxWarmup({ mailbox, state: { ...state, metrics } }),
      );
    });
  }

  async #listDays({ mailbox: { _id, workspaceId }, state: { startedOn } }: Warmup): Promise<WarmupDayRecord[]> {
    return this.days
      .find({ workspaceId, mailboxId: _id, day: { $gte: startedOn } })
      .sort({ day: 1 })
      .lean<WarmupDayRecord[]>();
  }

  #closeDay({ mailbox, state }: Warmup, days: readonly WarmupDayRecord[], closed: WarmupDayRecord): Warmup {
    // A suspended warmup stays unchanged: a later day must not let it grow after it is resumed.
    if (!isWarming(state.status)) return { mailbox, state: { ...state, closedDay: closed.day } };
    const { config, judgedFrom } = state;
    const evaluated = days.filter(({ day }) => day >= judgedFrom && day <= closed.day);
    const now = this.clock.now();
    const { suspension, ...progress } = closeDay(state, {
      config,
      dailySendLimit: mailbox.dailySendLimit,
      closed,
      evaluated,
      now,
    });
    const stopped: Partial<WarmupState> = suspension
      ? { suspension: { ...suspension, at: now }, nextAt: null, plannedDay: '' }
      : {};
    return { mailbox, state: { ...state, ...progress, ...stopped, closedDay: closed.day } };
  }

  /** Records the change of status in the audit log, as no person made it. */
  async #recordStatusChange(before: Warmup, { mailbox, state }: Warmup): Promise<void> {
    const { status } = state;
    if (status === before.state.status) return;
    if (status === 'suspended') await this.mails.cancelPlanned(mailbox, { withAnswers: false });
    if (status !== 'suspended' && status !== 'completed') return;
    await this.audit.record(systemScope(mailbox.workspaceId.toHexString()), {
      action: `warmup.${status}`,
      target: { type: 'mailbox', id: mailbox._id.toHexString() },
      changes: getChanges(before.state, state, ['status', 'suspension']),
    });
  }
}

function getFigures({ lastCalculatedAt: _at, ...figures }: WarmupMetrics): Omit<WarmupMetrics, 'lastCalculatedAt'> {
  return figures;
}
