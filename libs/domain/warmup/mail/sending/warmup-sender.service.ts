import { type OutboundRunEnd, OutboundSourceSenderService } from '@domain/sending';
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

/** How late a mail may be before the sweep asks for its job. */
const SWEEP_AFTER_MS = 3_000;
/** A mailbox whose turn somebody else has is tried again after so long, and up to twice that. */
const BUSY_MS = 15_000;
/** One that cannot send for now, without anybody knowing until when, is looked at again then. */
const RETRY_AFTER_MS = 3_600_000;

/** Sends the warmup mail of mailboxes when its time has come: one mail in each turn. */
@Injectable()
export class WarmupSenderService implements Sweep {
  readonly name = 'warmup-turn';

  constructor(
    private readonly mails: WarmupMailRepository,
    private readonly dispatch: WarmupDispatchService,
    private readonly messages: WarmupMessageService,
    private readonly sourceSender: OutboundSourceSenderService,
    private readonly warmups: WarmupRepository,
    private readonly queue: WarmupSendQueue,
    private readonly clock: ClockPort,
  ) {}

  /** Does nothing when nothing is due. What is due and cannot be sent now is due later. */
  async run(payload: RunWarmupSend, signal: AbortSignal): Promise<void> {
    const [workspaceId, mailboxId] = [parseId(payload.workspaceId), parseId(payload.mailboxId)];
    if (!workspaceId || !mailboxId) return;
    const of = { workspaceId, mailboxId };
    if (!(await this.mails.hasDue(of, this.clock.now()))) return;
    const warmup = await this.#findWarmup(payload);
    if (warmup) {
      await this.messages.prepareScript(warmup, signal);
      const end = await this.sourceSender.run(payload, this.dispatch.createSource(warmup), signal);
      await this.#postpone(of, warmup, end);
    } else {
      await this.mails.postpone(of, this.clock.in(RETRY_AFTER_MS));
    }
    await this.#enqueueNext(of);
  }

  /** Gives every mailbox with something due its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of this.mails.listDue(this.clock.in(-SWEEP_AFTER_MS))) {
      created += await this.queue.addMissing(page);
    }
    return created;
  }

  /** null for a mailbox that is gone: what it had planned is being erased. */
  async #findWarmup({ workspaceId, mailboxId }: RunWarmupSend): Promise<Warmup | null> {
    try {
      return await this.warmups.find({ workspaceId }, mailboxId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  /** When the mailbox may send again at the earliest. */
  async #postpone(of: MailboxRef, warmup: Warmup, end: OutboundRunEnd): Promise<void> {
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

  /** People take longer than they have to. */
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
