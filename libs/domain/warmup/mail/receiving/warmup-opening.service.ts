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
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import pLimit from 'p-limit';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupMailOpener } from './warmup-mail-opener';
import { WarmupOpenedService } from './warmup-opened.service';
import { WarmupTracesService } from './warmup-traces.service';

const WORKER = 'the worker opens the warmup mail of all workspaces';
/** Mails that are looked up in one go, and mailboxes that are open at the same time. */
const BATCH = 500;
const AT_ONCE = 10;
const MINUTE_MS = 60_000;
/** A mailbox that cannot be reached is tried again after that. */
const PAUSE_MS = 15 * MINUTE_MS;
/** What cannot be opened for so long is left as it is. */
const OPENED_WITHIN_MS = 72 * 60 * MINUTE_MS;

type Due = Pick<
  WarmupMailRecord,
  '_id' | 'workspaceId' | 'mailboxId' | 'mailId' | 'counterpart' | 'position' | 'placement' | 'day'
> & { receivedAt: Date };

/** Opens received mail when its time has come: out of spam, read, and out of the inbox. */
@Injectable()
export class WarmupOpeningService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly opened: WarmupOpenedService,
    private readonly mailboxes: MailboxRepository,
    private readonly mail: MailboxMessageRepository,
    private readonly traces: WarmupTracesService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Opens all that is due. A mailbox that fails holds up no other: its mail is tried again later. */
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
    if (!mailbox) return this.#leave(mails);
    const left = new Set(mails);
    try {
      if (mailbox.connection.state === 'connected') await this.#openAll(mailbox, left, signal);
    } catch (error) {
      const mailboxId = first.mailboxId.toHexString();
      if (error instanceof MailError)
        this.log.info('Warmup mail is opened later', { mailboxId, reason: error.message });
      else this.log.error('Warmup mail cannot be opened; it is tried again', error, { mailboxId });
    }
    if (!signal?.aborted) await this.#postpone([...left]);
  }

  /** Takes those that are dealt with out of `left`. */
  async #openAll(mailbox: MailboxRecord, left: Set<Due>, signal: AbortSignal | undefined): Promise<void> {
    await this.mail.withSession(mailbox, async (session) => {
      const opener = new WarmupMailOpener(session);
      for (const mail of left) {
        if (signal?.aborted) return;
        if (await this.#open(opener, mail)) left.delete(mail);
      }
    });
  }

  /** @returns false when it may be there later */
  async #open(opener: WarmupMailOpener, mail: Due): Promise<boolean> {
    const message = await this.mail.peek(mail);
    if (!message || message.goneAt) {
      await this.#leave([mail]);
      return true;
    }
    const opened = await ifThere(async () => {
      // Of a thread one is enough: what its sender writes takes the same way.
      const raw = mail.position === 0 ? await opener.read(message) : null;
      await opener.open(message);
      return { raw };
    });
    if (opened === null) return false;
    await this.opened.record(mail, isRescued(mail, message));
    if (opened.raw) await this.traces.notifyOrigins(mail.counterpart, opened.raw);
    return true;
  }

  /** Its owner has deleted it, or put it where nobody looks: it is not opened any more. */
  async #leave(mails: readonly Due[]): Promise<void> {
    for (const { _id, workspaceId } of mails) {
      await this.mails.updateOne({ _id, workspaceId }, { $unset: { opensAt: 1 } });
    }
  }

  async #postpone(mails: readonly Due[]): Promise<void> {
    const longAgo = this.clock.in(-OPENED_WITHIN_MS);
    const isOver = ({ receivedAt }: Due) => receivedAt <= longAgo;
    await this.#leave(mails.filter(isOver));
    for (const { _id, workspaceId } of mails.filter((mail) => !isOver(mail))) {
      const waiting = { _id, workspaceId, opensAt: { $gt: new Date(0) } };
      await this.mails.updateOne(waiting, { $set: { opensAt: this.clock.in(PAUSE_MS) } });
    }
  }
}

/** null when the server does not have it there (any more): it was moved, and the next reading of the mailbox tells where to. */
async function ifThere<T>(open: () => Promise<T>): Promise<T | null> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof MailError && error.failure === 'permanent' && error.stage === 'request') return null;
    throw error;
  }
}

/** It lay in spam, and now it does not: by us, or by its owner before us. */
function isRescued({ placement }: Due, { role }: MailboxMessageRecord): boolean {
  return placement === 'spam' && (role === 'junk' || role === 'inbox');
}
