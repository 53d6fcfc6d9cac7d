import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { MailboxHookRegistry } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { addDays, getDay } from '@platform/time';
import { toWarmup, type WarmupResponse } from '../dto/warmup.dto';
import { carefulReturn, slowRamp, runningStatus } from '../plan/progress';
import { WarmupMailRepository } from '../mail/sending/warmup-mail.repository';
import { mostOpenings, getOpenings } from '../plan/volume';
import { WarmupPlansRepository } from '../mail/sending/warmup-plans.repository';
import { NO_RUN, type Warmup, type WarmupState } from './warmup-state';
import { isWarming, requireMove, type WarmupMove } from './warmup-status';
import { WarmupRepository } from './warmup.repository';

const AUDIT_ACTIONS = { start: 'warmup.started', pause: 'warmup.paused', stop: 'warmup.stopped' } as const;

/** What people do with warmups. */
@Injectable()
export class WarmupTransitionsService {
  constructor(
    private readonly writer: WarmupRepository,
    private readonly plans: WarmupPlansRepository,
    private readonly outbox: WarmupMailRepository,
    private readonly uses: MailboxHookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Starts a warmup on its first day; one that was paused goes on with the day at which it stood, and one that was suspended
   * does so at half its volume: what was found of it until now is taken as looked at.
   * @throws NOT_FOUND, CONFLICT naming the status, CONFLICT when its share of the mailbox's limit has no room for a mail
   */
  async start(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupResponse> {
    return this.#move(workspace, mailboxId, 'start', async (warmup) => this.#getStartedState(warmup));
  }

  /** Begins nothing and answers nothing until it is started again. @throws NOT_FOUND, CONFLICT naming the status */
  async pause(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupResponse> {
    return this.#move(workspace, mailboxId, 'pause', async ({ mailbox }) => {
      await this.plans.cancelPlanned(mailbox, { withAnswers: false });
      return { status: 'paused', plannedDay: '', nextAt: null };
    });
  }

  /** Ends the run: what is started afterwards is a new one. Settings and figures stay. @throws NOT_FOUND, CONFLICT naming the status */
  async stop(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupResponse> {
    return this.#move(workspace, mailboxId, 'stop', async ({ mailbox }) => {
      await this.plans.cancelPlanned(mailbox, { withAnswers: true });
      return NO_RUN;
    });
  }

  async #move(
    workspace: WorkspaceScope,
    mailboxId: string,
    move: WarmupMove,
    changesFor: (warmup: Warmup) => Promise<Partial<WarmupState>>,
  ): Promise<WarmupResponse> {
    const after = await this.transactions.run(async () => {
      const before = await this.writer.find(workspace, mailboxId);
      requireMove(move, before.state.status);
      const after = await this.writer.write(before, await changesFor(before));
      await this.audit.record(workspace, {
        action: AUDIT_ACTIONS[move],
        target: { type: 'mailbox', id: before.mailbox._id.toHexString() },
        changes: getChanges(before.state, after.state, ['status', 'currentDay']),
      });
      return after;
    });
    const { workspaceId, _id } = after.mailbox;
    // A worker that saw the warmup as it was before has to find its claim gone.
    if (!isWarming(after.state.status)) await this.outbox.withhold({ workspaceId, mailboxId: _id });
    // What was kept for it is there for campaigns now.
    await this.uses.changed(workspace, mailboxId);
    return toWarmup(after);
  }

  #getStartedState({ mailbox, state }: Warmup): Partial<WarmupState> {
    const { dailySendLimit, timezone } = mailbox;
    const { config } = state;
    if (mostOpenings(dailySendLimit, config) === 0) {
      throw conflict(
        `${config.budgetShare} % of the mailbox’s dailySendLimit of ${dailySendLimit} is less than one email a day; ` +
          'raise dailySendLimit or budgetShare first',
      );
    }
    const now = this.clock.now();
    const today = getDay(now, config.timezone ?? timezone);
    const going = { status: runningStatus(state.completedAt), suspension: null, plannedThreads: null, nextAt: now };
    if (state.status === 'paused') {
      // Limit and settings may be others than when it was paused.
      const slowdown = slowRamp(state, { config, dailySendLimit });
      return { ...going, slowdown, currentVolume: getOpenings(state.currentDay, config, { slowdown, dailySendLimit }) };
    }
    if (state.status === 'not_started') {
      const currentVolume = getOpenings(1, config, { slowdown: null, dailySendLimit });
      const run = { startedAt: now, startedOn: today, judgedFrom: today, currentDay: 1, currentVolume, metrics: null };
      return { ...NO_RUN, ...going, ...run };
    }
    const slowdown = carefulReturn(state);
    const currentVolume = getOpenings(state.currentDay, config, { slowdown, dailySendLimit });
    return { ...going, slowdown, currentVolume, heldDays: 0, judgedFrom: addDays(today, 1) };
  }
}
