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
import { WarmupScriptsService } from './warmup-scripts.service';
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
    private readonly outbox: WarmupMailRepository,
    private readonly dispatch: WarmupDispatchService,
    private readonly scripts: WarmupScriptsService,
    private readonly sourceSender: OutboundSourceSenderService,
    private readonly writer: WarmupRepository,
    private readonly queue: WarmupSendQueue,
    private readonly clock: ClockPort,
  ) {}

  /** Does nothing when nothing is due. What is due and cannot be sent now is due later. */
  async run(payload: RunWarmupSend, signal: AbortSignal): Promise<void> {
    const [workspaceId, mailboxId] = [parseId(payload.workspaceId), parseId(payload.mailboxId)];
    if (!workspaceId || !mailboxId) return;
    const of = { workspaceId, mailboxId };
    if (!(await this.outbox.hasDue(of, this.clock.now()))) return;
    const warmup = await this.#warmupOf(payload);
    if (warmup) {
      await this.scripts.prepareScript(warmup, signal);
      const end = await this.sourceSender.run(payload, this.dispatch.createSource(warmup), signal);
      await this.#follow(of, warmup, end);
    } else {
      await this.outbox.postpone(of, this.clock.in(RETRY_AFTER_MS));
    }
    await this.#enqueueNext(of);
  }

  /** Gives every mailbox with something due its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of this.outbox.due(this.clock.in(-SWEEP_AFTER_MS))) {
      created += await this.queue.addMissing(page);
    }
    return created;
  }

  /** null for a mailbox that is gone: what it had planned is being erased. */
  async #warmupOf({ workspaceId, mailboxId }: RunWarmupSend): Promise<Warmup | null> {
    try {
      return await this.writer.find({ workspaceId }, mailboxId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  /** When the mailbox may send again at the earliest. */
  async #follow(of: MailboxRef, warmup: Warmup, end: OutboundRunEnd): Promise<void> {
    switch (end.kind) {
      case 'nothing':
        return;
      case 'gone':
        return this.outbox.postpone(of, this.clock.in(RETRY_AFTER_MS));
      case 'busy':
        return this.outbox.postpone(of, this.#soon(of));
      case 'wait':
        return this.outbox.postpone(of, later(end.until ?? this.clock.in(RETRY_AFTER_MS), this.#soon(of)));
      case 'tried':
        if (end.isReleased) return this.outbox.postpone(of, later(end.until, this.#soon(of)));
        return this.outbox.postpone(of, this.clock.in(this.#breath(of, warmup)));
    }
  }

  /** People take longer than they have to. */
  #breath(of: MailboxRef, { mailbox }: Warmup): number {
    const leastMs = Math.max(LEAST_GAP_SECONDS, mailbox.sendGapSeconds) * 1_000;
    return Math.round(leastMs * (1 + this.#chance(of) / 2));
  }

  #soon(of: MailboxRef): Date {
    return this.clock.in(Math.round(BUSY_MS * (1 + this.#chance(of))));
  }

  #chance({ mailboxId }: MailboxRef): number {
    return getDraws('warmup pause', mailboxId.toHexString(), this.clock.now().getTime())();
  }

  async #enqueueNext(of: MailboxRef): Promise<void> {
    const dueAt = await this.outbox.nextAt(of);
    if (dueAt) await this.queue.enqueue([{ ...of, dueAt }]);
  }
}

function later(one: Date | null, other: Date): Date {
  return one && one > other ? one : other;
}
