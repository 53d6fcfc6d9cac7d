import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { MAILBOX_HOOKS } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { addDays, getDay } from '@platform/time';
import { type UpdateWarmupRequest } from '../dto/warmup-requests.dto';
import { toWarmupSettings, type WarmupSettingsResponse } from '../dto/warmup-settings.dto';
import { toWarmup, type WarmupResponse } from '../dto/warmup.dto';
import { WarmupPoolService } from '../mail/plan/warmup-pool.service';
import { WarmupMailRepository } from '../mail/sending/warmup-mail.repository';
import { getRampSlowdown, getReturnSlowdown, getRunningStatus } from '../plan/progress';
import { getOpenings, getMaxOpenings } from '../plan/volume';
import { type WarmupConfig } from '../schemas/warmup.record';
import { applyChanges } from './warmup-settings';
import { toMailboxWarmup, type Warmup, type WarmupState, NO_RUN } from './warmup-state';
import { isWarming, requireTransition, type WarmupTransition } from './warmup-status';
import { WarmupRepository } from './warmup.repository';

const AUDIT_ACTIONS = { start: 'warmup.started', pause: 'warmup.paused', stop: 'warmup.stopped' } as const;

/** Warmups for the API: every mailbox has one. */
@Injectable()
export class WarmupsService {
  constructor(
    private readonly warmups: WarmupRepository,
    private readonly pool: WarmupPoolService,
    private readonly hooks: HookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly mails: WarmupMailRepository,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND */
  async getConfig(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupResponse> {
    return toWarmup(await this.warmups.find(workspace, mailboxId));
  }

  /** @throws NOT_FOUND */
  async getSettings(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupSettingsResponse> {
    const warmup = await this.warmups.find(workspace, mailboxId);
    return toWarmupSettings(warmup, await this.pool.hasPeersFor(warmup));
  }

  /**
   * Changes the settings; omitted fields stay. A current run keeps its day, and its volume rises by at most one daily increase.
   * Mail that is planned for today stays planned.
   * @throws NOT_FOUND, VALIDATION_ERROR naming each field that contradicts another
   */
  async update(workspace: WorkspaceScope, mailboxId: string, request: UpdateWarmupRequest): Promise<WarmupResponse> {
    const updated = await this.transactions.run(async () => {
      const before = await this.warmups.find(workspace, mailboxId);
      const config = applyChanges(before.state.config, request);
      if (isDeepStrictEqual(config, before.state.config)) return toWarmup(before);
      const after = await this.warmups.write(before, { config, ...getVolume(before, config) });
      await this.audit.record(workspace, {
        action: 'warmup.updated',
        target: { type: 'mailbox', id: before.mailbox._id.toHexString() },
        changes: getChanges(before.state.config, config, Object.keys(config) as (keyof WarmupConfig)[]),
      });
      return toWarmup(after);
    });
    // The campaigns' part of the mailbox's limit may have changed.
    await this.hooks.call(MAILBOX_HOOKS, 'changed', workspace, mailboxId);
    return updated;
  }

  /**
   * Recalculates volume and share after the mailbox's limit has changed. Writes nothing when both stay the same.
   * @throws NOT_FOUND
   */
  async limitChanged(workspace: Pick<WorkspaceScope, 'workspaceId'>, mailboxId: string): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.warmups.find(workspace, mailboxId);
      const changes = getVolume(before, before.state.config);
      const { mailbox, state } = before;
      const { share } = toMailboxWarmup({ mailbox, state: { ...state, ...changes } });
      const isSame = state.currentVolume === changes.currentVolume && isDeepStrictEqual(share, mailbox.warmup.share);
      if (!isSame) await this.warmups.write(before, changes);
    });
  }

  /**
   * Starts a warmup on its first day. A paused run resumes at its current day. A suspended run resumes at half its volume, and
   * only later days count for its next evaluation.
   * @throws NOT_FOUND, CONFLICT naming the status, CONFLICT when its share of the mailbox's limit is less than one mail
   */
  async start(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupResponse> {
    return this.#transition(workspace, mailboxId, 'start', async (warmup) => this.#getStartedState(warmup));
  }

  /** Stops opening and answering until the next start. @throws NOT_FOUND, CONFLICT naming the status */
  async pause(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupResponse> {
    return this.#transition(workspace, mailboxId, 'pause', async ({ mailbox }) => {
      await this.mails.cancelPlanned(mailbox, { withAnswers: false });
      return { status: 'paused', plannedDay: '', nextAt: null };
    });
  }

  /** Ends the run; the next start begins a new one. Settings and figures stay. @throws NOT_FOUND, CONFLICT naming the status */
  async stop(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupResponse> {
    return this.#transition(workspace, mailboxId, 'stop', async ({ mailbox }) => {
      await this.mails.cancelPlanned(mailbox, { withAnswers: true });
      return NO_RUN;
    });
  }

  async #transition(
    workspace: WorkspaceScope,
    mailboxId: string,
    move: WarmupTransition,
    changesFor: (warmup: Warmup) => Promise<Partial<WarmupState>>,
  ): Promise<WarmupResponse> {
    const after = await this.transactions.run(async () => {
      const before = await this.warmups.find(workspace, mailboxId);
      requireTransition(move, before.state.status);
      const after = await this.warmups.write(before, await changesFor(before));
      await this.audit.record(workspace, {
        action: AUDIT_ACTIONS[move],
        target: { type: 'mailbox', id: before.mailbox._id.toHexString() },
        changes: getChanges(before.state, after.state, ['status', 'currentDay']),
      });
      return after;
    });
    const { workspaceId, _id } = after.mailbox;
    // A worker that read the former status must lose its claim.
    if (!isWarming(after.state.status)) await this.mails.withhold({ workspaceId, mailboxId: _id });
    // Campaigns may use the part of the limit that was reserved for warmup.
    await this.hooks.call(MAILBOX_HOOKS, 'changed', workspace, mailboxId);
    return toWarmup(after);
  }

  #getStartedState({ mailbox, state }: Warmup): Partial<WarmupState> {
    const { dailySendLimit, timezone } = mailbox;
    const { config } = state;
    if (getMaxOpenings(dailySendLimit, config) === 0) {
      throw conflict(
        `${config.budgetShare} % of the mailbox’s dailySendLimit of ${dailySendLimit} is less than one email a day; ` +
          'raise dailySendLimit or budgetShare first',
      );
    }
    const now = this.clock.now();
    const today = getDay(now, config.timezone ?? timezone);
    const going = { status: getRunningStatus(state.completedAt), suspension: null, plannedThreads: null, nextAt: now };
    if (state.status === 'paused') {
      // Limit or settings may have changed since the pause.
      const slowdown = getRampSlowdown(state, { config, dailySendLimit });
      return { ...going, slowdown, currentVolume: getOpenings(state.currentDay, config, { slowdown, dailySendLimit }) };
    }
    if (state.status === 'not_started') {
      const currentVolume = getOpenings(1, config, { slowdown: null, dailySendLimit });
      const run = { startedAt: now, startedOn: today, judgedFrom: today, currentDay: 1, currentVolume, metrics: null };
      return { ...NO_RUN, ...going, ...run };
    }
    const slowdown = getReturnSlowdown(state);
    const currentVolume = getOpenings(state.currentDay, config, { slowdown, dailySendLimit });
    return { ...going, slowdown, currentVolume, daysAtVolume: 0, judgedFrom: addDays(today, 1) };
  }
}

/** The volume of a run under these settings; unchanged without a run. */
function getVolume(
  { mailbox: { dailySendLimit }, state }: Warmup,
  config: WarmupConfig,
): Pick<WarmupState, 'slowdown' | 'currentVolume'> {
  const { status, currentDay, currentVolume, slowdown: before } = state;
  if (status === 'not_started') return { slowdown: before, currentVolume };
  const slowdown = getRampSlowdown(state, { config, dailySendLimit });
  return { slowdown, currentVolume: getOpenings(currentDay, config, { slowdown, dailySendLimit }) };
}
