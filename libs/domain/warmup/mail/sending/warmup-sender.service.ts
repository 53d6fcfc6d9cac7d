import { MailboxSenderService, type SingleRunEnd } from '@domain/sending';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { AppError } from '@platform/errors';
import { type Sweep } from '@platform/queues';
import { type Warmup } from '../../config/warmup-state';
import { WarmupRepository } from '../../config/warmup.repository';
import { LEAST_GAP_SECONDS } from '../../plan/day-plan';
import { getDraws } from '../../plan/seeded-random';
import { WarmupDispatchService } from './warmup-dispatch.service';
import { type MailboxRef, WarmupMailRepository } from './warmup-mail.repository';
import { WarmupMessageService } from './warmup-message.service';
import { type RunWarmupSend, WarmupSendQueue } from './warmup-send.queue';

/** Delay after which the sweep looks for the job of a due mail. */
const SWEEP_AFTER_MS = 3_000;
/** Delay while another worker holds the mailbox lease; up to twice that. */
const BUSY_MS = 15_000;
/** Delay for a mailbox that cannot send for an unknown time. */
const RETRY_AFTER_MS = 3_600_000;

/** Sends due warmup mail of mailboxes: one mail per mailbox lease. */
@Injectable()
export class WarmupSenderService implements Sweep {
  readonly name = 'warmup-send';

  constructor(
    private readonly mails: WarmupMailRepository,
    private readonly dispatch: WarmupDispatchService,
    private readonly messages: WarmupMessageService,
    private readonly sender: MailboxSenderService,
    private readonly warmups: WarmupRepository,
    private readonly queue: WarmupSendQueue,
    private readonly clock: ClockPort,
  ) {}

  /** Sends due mail, or postpones what cannot be sent now. */
  async run(payload: RunWarmupSend, signal: AbortSignal): Promise<void> {
    const [workspaceId, mailboxId] = [parseId(payload.workspaceId), parseId(payload.mailboxId)];
    if (!workspaceId || !mailboxId) return;
    const of = { workspaceId, mailboxId };
    if (!(await this.mails.hasDue(of, this.clock.now()))) return;
    const warmup = await this.#findWarmup(payload);
    if (warmup) {
      await this.messages.prepareScript(warmup, signal);
      const end = await this.sender.runOnce(payload, this.dispatch.createSource(warmup), signal);
      await this.#postpone(of, warmup, end);
    } else {
      await this.mails.postpone(of, this.clock.in(RETRY_AFTER_MS));
    }
    await this.#enqueueNext(of);
  }

  /** Restores the job of every mailbox with due mail, since Redis may have lost it. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of this.mails.listDue(this.clock.in(-SWEEP_AFTER_MS))) {
      created += await this.queue.addMissing(page);
    }
    return created;
  }

  /** Null for a deleted mailbox, whose plan is being erased. */
  async #findWarmup({ workspaceId, mailboxId }: RunWarmupSend): Promise<Warmup | null> {
    try {
      return await this.warmups.find({ workspaceId }, mailboxId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  /** Postpones the remaining mail to the earliest possible time. */
  async #postpone(of: MailboxRef, warmup: Warmup, end: SingleRunEnd): Promise<void> {
    switch (end.kind) {
      case 'nothing':
        return;
      case 'gone':
        return this.mails.postpone(of, this.clock.in(RETRY_AFTER_MS));
      case 'busy':
        return this.mails.postpone(of, this.#getRetryAt(of));
      case 'wait':
        return this.mails.postpone(of, latest(end.until ?? this.clock.in(RETRY_AFTER_MS), this.#getRetryAt(of)));
      case 'tried':
        if (end.isReleased) return this.mails.postpone(of, latest(end.until, this.#getRetryAt(of)));
        return this.mails.postpone(of, this.clock.in(this.#getPause(of, warmup)));
    }
  }

  /** Adds up to half of the least gap, as people do not send at exact intervals. */
  #getPause(of: MailboxRef, { mailbox }: Warmup): number {
    const leastMs = Math.max(LEAST_GAP_SECONDS, mailbox.sendGapSeconds) * 1_000;
    return Math.round(leastMs * (1 + this.#draw(of) / 2));
  }

  #getRetryAt(of: MailboxRef): Date {
    return this.clock.in(Math.round(BUSY_MS * (1 + this.#draw(of))));
  }

  #draw({ mailboxId }: MailboxRef): number {
    return getDraws('warmup pause', mailboxId.toHexString(), this.clock.now().getTime())();
  }

  async #enqueueNext(of: MailboxRef): Promise<void> {
    const dueAt = await this.mails.findNextAt(of);
    if (dueAt) await this.queue.enqueue([{ ...of, dueAt }]);
  }
}

function latest(one: Date | null, other: Date): Date {
  return one && one > other ? one : other;
}
