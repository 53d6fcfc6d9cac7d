import { systemScope } from '@domain/access';
import { Types } from 'mongoose';
import { type SendingFixture } from '../../../sending/testing';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { WarmupPlannerService } from '../plan/warmup-planner.service';
import { WarmupSenderService } from '../sending/warmup-sender.service';
import { type WarmMailbox } from './warm-mailboxes';
import { ALL_WORKSPACES, type WarmupRecords } from './warmup-records';

/** Runs the planner and the warmup sender. */
export class WarmupRuns {
  constructor(
    private readonly sending: SendingFixture,
    private readonly records: WarmupRecords,
  ) {}

  plan(): Promise<void> {
    return this.sending.get(WarmupPlannerService).run(new AbortController().signal);
  }

  /** Runs the warmup sender for the mailbox once. */
  send({ id: mailboxId, workspace: { workspaceId } }: WarmMailbox): Promise<void> {
    return this.sending.get(WarmupSenderService).run({ workspaceId, mailboxId }, new AbortController().signal);
  }

  /** Advances the clock and runs plans and mails at their due times; with `id`, only the mails of this mailbox. */
  async advanceTo(until: Date, { id }: Partial<WarmMailbox> = {}): Promise<void> {
    const of = id === undefined ? {} : { mailboxId: new Types.ObjectId(id) };
    for (let next = await this.#next(until, of); next.at !== null; next = await this.#next(until, of)) {
      if (next.at > this.sending.clock.now()) this.sending.clock.freeze(next.at);
      if (next.isPlan) await this.plan();
      for (const mailbox of await this.#due(of)) await this.send(mailbox);
    }
    this.sending.clock.freeze(until);
  }

  /** Plans the day: mails of the first mailbox are due from 10:00 UTC, those of the others from 15:00. */
  async planMorningOf(first: WarmMailbox): Promise<void> {
    await this.plan();
    const planned = new Map<string, WarmupMailRecord[]>();
    for (const mail of await this.records.sent({ state: 'planned' })) {
      const id = mail.mailboxId.toHexString();
      planned.set(id, [...(planned.get(id) ?? []), mail]);
    }
    const today = this.sending.clock.now().toISOString().slice(0, 10);
    for (const [id, mails] of planned) {
      for (const [index, { _id, workspaceId }] of mails.entries()) {
        const hour = id === first.id ? 10 + index : 15 + index;
        const at = new Date(`${today}T${hour}:00:00.000Z`);
        await this.records.mails.updateOne({ _id, workspaceId }, { $set: { plannedFor: at, dueAt: at } });
      }
    }
  }

  /** The next due time, and whether a plan is due then. */
  async #next(until: Date, of: object): Promise<{ at: Date | null; isPlan: boolean }> {
    const mail = await this.records.mails
      .findOne({ ...of, state: 'planned', dueAt: { $lte: until } })
      .setOptions(ALL_WORKSPACES)
      .sort({ dueAt: 1 })
      .lean<WarmupMailRecord>();
    const warmup = await this.sending
      .model<WarmupRecord>(WarmupRecord)
      .findOne({ nextAt: { $gt: new Date(0), $lte: until } })
      .setOptions(ALL_WORKSPACES)
      .sort({ nextAt: 1 })
      .lean<WarmupRecord>();
    const planAt = warmup?.nextAt ?? null;
    const moments = [mail?.dueAt, planAt].filter((at) => at instanceof Date);
    const [at = null] = moments.toSorted((a, b) => a.getTime() - b.getTime());
    const now = this.sending.clock.now();
    return { at, isPlan: at !== null && planAt !== null && planAt <= (at > now ? at : now) };
  }

  async #due(of: object): Promise<WarmMailbox[]> {
    const due = { ...of, state: 'planned', dueAt: { $lte: this.sending.clock.now() } } as const;
    const found = await this.records.mails
      .find(due)
      .setOptions(ALL_WORKSPACES)
      .sort({ dueAt: 1 })
      .lean<WarmupMailRecord[]>();
    const mailboxes = new Map(found.map((mail) => [mail.mailboxId.toHexString(), mail.workspaceId.toHexString()]));
    return [...mailboxes].map(([id, workspaceId]) => ({ id, email: '', workspace: systemScope(workspaceId) }));
  }
}
