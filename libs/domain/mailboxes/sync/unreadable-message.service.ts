import { MailError, readEnvelope } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { isDuplicateKey } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { MailboxRepository } from '../mailbox.repository';
import { MailboxMessageRecord } from '../schemas/mailbox-message.record';
import { MAIL_ARRIVAL } from './mail-arrival';
import { MailboxMessageRepository } from './mailbox-message.repository';

/** Messages of a mailbox that its server does not return. */
export interface Unreadable {
  readonly count: number;
  /** The server's reply for the latest one. */
  readonly reason: string;
  readonly latestAt: Date;
  /** When the next of them is requested again; null when none is left. */
  readonly nextTryAt: Date | null;
}

const HOUR_MS = 3_600_000;
/** Retried after an hour, then at doubled intervals of at most a day; given up a month after the message came. */
const LONGEST_PAUSE_MS = 24 * HOUR_MS;
const TRIED_FOR_MS = 30 * 24 * HOUR_MS;
const AT_A_TIME = 200;
const MAX_BYTES = 25 * 1_048_576;
const WORKER = 'the worker processes the mail of all workspaces';

/** Messages that a server has and does not return: requests them again and reports their number. */
@Injectable()
export class UnreadableMessageService {
  constructor(
    @InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly mail: MailboxMessageRepository,
    private readonly hooks: HookRegistry,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** null when there is none. */
  async find(workspaceId: Types.ObjectId, mailboxId: Types.ObjectId): Promise<Unreadable | null> {
    const there = { workspaceId, mailboxId, state: 'unreadable', goneAt: null } as const;
    const latest = await this.messages.findOne(there).sort({ receivedAt: -1 }).lean<MailboxMessageRecord>();
    if (!latest) return null;
    const next = await this.messages
      .findOne({ ...there, retryAt: { $gt: new Date(0) } })
      .sort({ retryAt: 1 })
      .lean<MailboxMessageRecord>();
    return {
      count: await this.messages.countDocuments(there),
      reason: latest.problem ?? '',
      latestAt: latest.receivedAt,
      nextTryAt: next?.retryAt ?? null,
    };
  }

  /** Requests all messages that are due. A message that is returned now counts as newly received. */
  async retryDue(signal?: AbortSignal): Promise<void> {
    const due = await this.messages
      .find({ state: 'unreadable', retryAt: { $gt: new Date(0), $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ retryAt: 1 })
      .limit(AT_A_TIME)
      .lean<MailboxMessageRecord[]>();
    for (const message of due) {
      signal?.throwIfAborted();
      await this.#retry(message);
    }
  }

  async #retry(message: MailboxMessageRecord): Promise<void> {
    const { workspaceId, mailboxId, ref, goneAt } = message;
    const mailbox = goneAt ? null : await this.mailboxes.find(workspaceId, mailboxId);
    // A mailbox that cannot be reached now is retried later.
    if (mailbox?.connection.state !== 'connected') return this.#postpone(message);
    try {
      const raw = await this.mail.withSession(mailbox, (session) => session.fetchRaw(ref, { maxBytes: MAX_BYTES }));
      await this.#shown(message, raw);
    } catch (error) {
      if (!(error instanceof MailError))
        this.log.error('An unreadable message could not be requested again', error, { mailboxId });
      await this.#postpone(message);
    }
  }

  async #shown({ _id, workspaceId, mailboxId }: MailboxMessageRecord, raw: Buffer): Promise<void> {
    const { fingerprint, summary } = await readEnvelope(raw);
    const { date, references, to, ...fields } = summary;
    const envelope = { ...fields, references: [...references], to: [...to], sentAt: date, size: raw.length };
    const settled = { problem: null, failures: 0, retryAt: null };
    const still = { _id, workspaceId, state: 'unreadable' } as const;
    try {
      await this.messages.updateOne(still, { $set: { ...envelope, ...settled, fingerprint, state: 'received' } });
      await this.hooks.call(MAIL_ARRIVAL, 'arrived', {
        workspaceId: workspaceId.toHexString(),
        mailboxId: mailboxId.toHexString(),
      });
    } catch (error) {
      // The message was stored from another place meanwhile.
      if (!isDuplicateKey(error)) throw error;
      await this.messages.updateOne(still, { $set: { ...settled, state: 'done', verdict: 'skipped', rule: 'known' } });
    }
  }

  async #postpone({ _id, workspaceId, failures, createdAt }: MailboxMessageRecord): Promise<void> {
    const isOver = this.clock.now().getTime() - createdAt.getTime() > TRIED_FOR_MS;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * HOUR_MS * 2 ** Math.min(failures, 10));
    await this.messages.updateOne(
      { _id, workspaceId, state: 'unreadable' },
      { $set: { retryAt: isOver ? null : this.clock.in(pauseMs) }, $inc: { failures: 1 } },
    );
  }
}
