import { MailError } from '@adapters/mail';
import {
  MailboxRepository,
  MailboxMessageRepository,
  type MailboxMessageRecord,
  type MailboxRecord,
} from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import pLimit from 'p-limit';
import { WarmupRepository } from '../../config/warmup.repository';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupMailOpener } from './warmup-mail-opener';
import { WarmupReceiptService } from './warmup-receipt.service';

const WORKER = 'the worker opens the warmup mail of all workspaces';
/** Mails that are read at once, and mailboxes that are open at the same time. */
const BATCH = 500;
const AT_ONCE = 10;
const MINUTE_MS = 60_000;
/** Delay until an unreachable mailbox is retried. */
const PAUSE_MS = 15 * MINUTE_MS;
/** Mail that cannot be opened within this time stays unopened. */
const OPENED_WITHIN_MS = 72 * 60 * MINUTE_MS;

type Due = Pick<
  WarmupMailRecord,
  '_id' | 'workspaceId' | 'mailboxId' | 'mailId' | 'counterpart' | 'position' | 'placement' | 'day'
> & { receivedAt: Date };

/** The receiver's side. */
type Received = Pick<WarmupMailRecord, '_id' | 'workspaceId' | 'mailboxId' | 'mailId' | 'counterpart' | 'day'>;

/** Opens received mail that is due: moves it out of spam, marks it as read, and files it. */
@Injectable()
export class WarmupOpeningService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly mail: MailboxMessageRepository,
    private readonly receipts: WarmupReceiptService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
    private readonly warmups: WarmupRepository,
    private readonly transactions: TransactionService,
  ) {}

  /** Opens all due mail. A failing mailbox does not block the others: its mail is retried later. */
  async openDue(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const due = await this.mails
        .find({ opensAt: { $gt: new Date(0), $lte: this.clock.now() } })
        .setOptions({ allWorkspaces: WORKER })
        .sort({ opensAt: 1, _id: 1 })
        .limit(BATCH)
        .lean<Due[]>();
      const atOnce = pLimit(AT_ONCE);
      const byMailbox = Map.groupBy(due, ({ mailboxId }) => mailboxId.toHexString());
      await Promise.all([...byMailbox.values()].map((mails) => atOnce(() => this.#openIn(mails, signal))));
      signal?.throwIfAborted();
      if (due.length < BATCH) return;
    }
  }

  async #openIn(mails: readonly Due[], signal: AbortSignal | undefined): Promise<void> {
    const [first] = mails;
    if (!first || signal?.aborted) return;
    const mailbox = await this.mailboxes.find(first.workspaceId, first.mailboxId);
    if (!mailbox) return this.#abandon(mails);
    const left = new Set(mails);
    try {
      if (mailbox.connection.state === 'connected') await this.#openAll(mailbox, left, signal);
    } catch (error) {
      const mailboxId = first.mailboxId.toHexString();
      if (error instanceof MailError)
        this.log.info('Warmup mail will be opened later', { mailboxId, reason: error.message });
      else this.log.error('Warmup mail could not be opened; it will be retried', error, { mailboxId });
    }
    if (!signal?.aborted) await this.#postpone([...left]);
  }

  /** Removes processed mails from `left`. */
  async #openAll(mailbox: MailboxRecord, left: Set<Due>, signal: AbortSignal | undefined): Promise<void> {
    await this.mail.withSession(mailbox, async (session) => {
      const opener = new WarmupMailOpener(session);
      for (const mail of left) {
        if (signal?.aborted) return;
        if (await this.#open(opener, mail)) left.delete(mail);
      }
    });
  }

  /** @returns false when the message may appear later */
  async #open(opener: WarmupMailOpener, mail: Due): Promise<boolean> {
    const message = await this.mail.peek(mail);
    if (!message || message.goneAt) {
      await this.#abandon([mail]);
      return true;
    }
    const opened = await openIfPresent(async () => {
      // One mail of a thread is enough: all mail of its sender takes the same route.
      const raw = mail.position === 0 ? await opener.read(message) : null;
      await opener.open(message);
      return { raw };
    });
    if (opened === null) return false;
    await this.#recordOpened(mail, isRescued(mail, message));
    if (opened.raw) await this.receipts.notifyOrigins(mail.counterpart, opened.raw);
    return true;
  }

  /** Gives up on mail that its owner has deleted or moved. */
  async #abandon(mails: readonly Due[]): Promise<void> {
    for (const { _id, workspaceId } of mails) {
      await this.mails.updateOne({ _id, workspaceId }, { $unset: { opensAt: 1 } });
    }
  }

  async #postpone(mails: readonly Due[]): Promise<void> {
    const longAgo = this.clock.in(-OPENED_WITHIN_MS);
    const isOver = ({ receivedAt }: Due) => receivedAt <= longAgo;
    await this.#abandon(mails.filter(isOver));
    for (const { _id, workspaceId } of mails.filter((mail) => !isOver(mail))) {
      const waiting = { _id, workspaceId, opensAt: { $gt: new Date(0) } };
      await this.mails.updateOne(waiting, { $set: { opensAt: this.clock.in(PAUSE_MS) } });
    }
  }

  /** Counts a mail once, however often it is called. */
  async #recordOpened(mail: Received, isRescued: boolean): Promise<void> {
    const { _id, workspaceId, mailId, counterpart } = mail;
    const now = this.clock.now();
    const opened = { $set: { openedAt: now, ...(isRescued && { rescuedAt: now }) } };
    await this.transactions.run(async () => {
      const { matchedCount } = await this.mails.updateOne(
        { _id, workspaceId, opensAt: { $gt: new Date(0) } },
        { ...opened, $unset: { opensAt: 1 } },
      );
      if (matchedCount === 0) return;
      if (isRescued) await this.warmups.count(mail, { rescued: 1 });
      const sent = await this.mails
        .findOneAndUpdate({ _id: mailId, workspaceId: counterpart.workspaceId }, opened)
        .lean<WarmupMailRecord>();
      if (sent) await this.warmups.count(sent, { opened: 1 });
    });
  }
}

/** Null when the server does not have the message there: it was moved, and the next sync finds it. */
async function openIfPresent<T>(open: () => Promise<T>): Promise<T | null> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof MailError && error.failure === 'permanent' && error.stage === 'request') return null;
    throw error;
  }
}

/** Whether the mail was moved out of spam, by us or by its owner. */
function isRescued({ placement }: Due, { role }: MailboxMessageRecord): boolean {
  return placement === 'spam' && (role === 'junk' || role === 'inbox');
}
